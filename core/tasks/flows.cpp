#include "core/tasks/flows.h"

#include "core/settings/layer_keys.h"
#include "core/settings/own_encoder.h"

namespace earwright::tasks {

namespace {

// Functions, since a task may ask for them before main().

/// What gives the features instead, of a width that its checkpoint knows, or changes them between.
Names fronts()
{
    return { settings::kLatentEncoder, "wav2vec2", "whisper", "ssl_model", "weighted_ssl_model",
        "src_embedding", "context_window", "compute_deltas", "deltas" };
}

Names frontEnds()
{
    return { "CNN", "cnn" };
}

Names featureLayers()
{
    return { "compute_features", "frontend" };
}

Names normalizers()
{
    return { settings::kNormalizers.begin(), settings::kNormalizers.end() };
}

} // namespace

Names encoderLayers()
{
    return { "enc", "encoder", "Transformer", "model" };
}

Names decoderLayers()
{
    return { "dec", "decoder" };
}

std::vector<Flow> speechFlows()
{
    return {
        { normalizers(), { featureLayers() }, {} },
        { frontEnds(), { fronts(), normalizers(), featureLayers() }, {} },
        { { "Transformer" }, { fronts(), { "CNN", "enc" }, normalizers(), featureLayers() }, {} },
        { { "enc", "encoder", "model" },
            { fronts(), frontEnds(), normalizers(), featureLayers(), { "encoder_emb" } }, {} },
        { { settings::kLatentEncoder }, { { settings::kLatentExtractor } }, {} },
        { { settings::kBackEnd }, { encoderLayers() }, {} },
        { { "ctc_lin", "output_lin" }, { { settings::kBackEnd }, encoderLayers() }, {} },
    };
}

const std::vector<Flow>& scriptFlows()
{
    static const std::vector<Flow> flows = {
        { { "embedding_model", "xvector_model", "rnn", "linear1" },
            { fronts(), frontEnds(), normalizers(), featureLayers() }, {} },
        { { "linear2" }, { { "linear1" } }, {} },
        { { "classifier" }, { { "embedding_model", "xvector_model" } }, {} },
        { { "dnn" }, { { "rnn" } }, {} },
        { decoderLayers(), { { "emb", "embedding", "output_emb" } }, {} },
        { decoderLayers(), { { "slu_enc" }, encoderLayers() }, "enc_dim" },
        { { "slu_enc" }, { fronts(), { "input_emb" } }, {} },
        { { "lin" }, { decoderLayers(), { "rnn" }, encoderLayers() }, {} },
        { { "proj_enc", "enc_lin" }, { encoderLayers() }, {} },
        { { "proj_dec" }, { { "dec" } }, {} },
        { { "dec_lin" }, { { "proj_dec", "dec" } }, {} },
        { { "proj_ctc" }, { { "proj_enc", "enc", "Transformer" } }, {} },
        { { "Tjoint" }, { { "proj_enc", "enc_lin" }, encoderLayers() }, {} },
        { { "transducer_lin" }, { { "Tjoint" } }, {} },
    };
    return flows;
}

} // namespace earwright::tasks
