#include "core/check/shape_flows.h"

#include "core/catalog/catalog.h"
#include "core/check/owners.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check {

using recipe::Node;
using recipe::NodePtr;

namespace {

/// What gives the features instead, of a width that its checkpoint knows, or changes them between.
const Names kFronts = { "wav2vec2", "whisper", "ssl_model", "weighted_ssl_model", "src_embedding",
    "context_window", "compute_deltas", "deltas", "downsampler" };
const Names kFrontEnds = { "CNN", "cnn" };
const Names kFeatures = { "compute_features", "frontend" };
const Names kEncoders = { "enc", "encoder", "Transformer", "model" };
const Names kDecoders = { "dec", "decoder" };

std::vector<tasks::Flow> makeFlows()
{
    const Names normalizers(settings::kNormalizers.begin(), settings::kNormalizers.end());
    const std::vector<Names> frames = { kFronts, kFrontEnds, normalizers, kFeatures };
    std::vector<tasks::Flow> flows = {
        { normalizers, { kFeatures }, {} },
        { kFrontEnds, { kFronts, normalizers, kFeatures }, {} },
        { { "Transformer" }, { kFronts, { "CNN", "enc" }, normalizers, kFeatures }, {} },
        { { "enc", "encoder", "model" },
            { kFronts, kFrontEnds, normalizers, kFeatures, { "encoder_emb" } }, {} },
        { { "embedding_model", "xvector_model", "rnn", "linear1" }, frames, {} },
        { { "linear2" }, { { "linear1" } }, {} },
        { { "classifier" }, { { "embedding_model", "xvector_model" } }, {} },
        { { "dnn" }, { { "rnn" } }, {} },
        { { "back_end_ffn" }, { kEncoders }, {} },
        { { "ctc_lin" }, { { "back_end_ffn" }, kEncoders }, {} },
        { kDecoders, { { "emb", "embedding", "output_emb" } }, {} },
        { kDecoders, { { "slu_enc" }, kEncoders }, "enc_dim" },
        { { "slu_enc" }, { kFronts, { "input_emb" } }, {} },
        { { "seq_lin" }, { kDecoders, { "Transformer" } }, {} },
        { { "lin" }, { kDecoders, { "rnn" }, kEncoders }, {} },
        { { "proj_enc", "enc_lin" }, { kEncoders }, {} },
        { { "proj_dec" }, { { "dec" } }, {} },
        { { "dec_lin" }, { { "proj_dec", "dec" } }, {} },
        { { "proj_ctc" }, { { "proj_enc", "enc", "Transformer" } }, {} },
        { { "Tjoint" }, { { "proj_enc", "enc_lin" }, kEncoders }, {} },
        { { "transducer_lin" }, { { "Tjoint" } }, {} },
        { { "output" }, { { "Tjoint" }, kDecoders, kEncoders }, {} },
    };
    for (const tasks::Spec& spec : tasks::specs())
        flows.insert(flows.end(), spec.flows.begin(), spec.flows.end());
    return flows;
}

bool isLayerObject(const Node& node)
{
    const std::string_view name = catalog::classOf(node);
    const catalog::ClassInfo* info = catalog::findClass(name);
    const bool isOther = info
        && (info->role == catalog::Role::Decoder || info->role == catalog::Role::Utility
            || info->role == catalog::Role::Loss);
    return !name.empty() && !isModuleList(node) && !isOther;
}

} // namespace

const std::vector<tasks::Flow>& shapeFlows()
{
    static const std::vector<tasks::Flow> flows = makeFlows();
    return flows;
}

std::vector<Source> sourcesOf(const tasks::Flow& flow, const NodePtr& layer, const Node& root)
{
    std::vector<Source> sources;
    for (const Names& tier : flow.tiers) {
        for (const std::string& name : tier) {
            const NodePtr node = settings::findLayer(root, name);
            if (node && isLayerObject(*node)
                && settings::reachableFrom(node).count(layer.get()) == 0)
                sources.push_back({ name, node });
        }
        if (!sources.empty())
            break;
    }
    return sources;
}

} // namespace earwright::check
