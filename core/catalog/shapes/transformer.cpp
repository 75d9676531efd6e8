#include "core/catalog/given.h"
#include "core/catalog/shape_rules.h"

namespace earwright::catalog {

using recipe::Node;

namespace {

FrameShape model(const Node& node, const FrameShape&)
{
    return { Given(node).integer("d_model") };
}

FrameShape embeddingWidth(const Node& node, const FrameShape&)
{
    return { Given(node).integer("embedding_dim") };
}

FrameShape vocabulary(const Node& node, const FrameShape&)
{
    return { Given(node).integer("vocab") };
}

} // namespace

void addTransformerShapes(ShapeRules& rules)
{
    // Its parts keep the width: attention is over time.
    rules.insert({
        { "speechbrain.lobes.models.transformer.Branchformer.BranchformerEncoder",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Branchformer.BranchformerEncoderLayer",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Conformer.ConformerDecoder", { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Conformer.ConformerDecoderLayer",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Conformer.ConformerEncoder", { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Conformer.ConformerEncoderLayer",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Conformer.ConvolutionModule", { same } },
        { "speechbrain.lobes.models.transformer.Transformer.TransformerDecoder",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Transformer.TransformerDecoderLayer",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Transformer.TransformerEncoder",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.Transformer.TransformerEncoderLayer",
            { same, "d_model" } },
        { "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR", { model } },
        { "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM", { vocabulary } },
        { "speechbrain.lobes.models.transformer.TransformerST.TransformerST", { model } },
        { "speechbrain.lobes.models.wav2vec.EncoderWrapper", { embeddingWidth, "in_dim" } },
        { "speechbrain.nnet.attention.MultiheadAttention", { same, "d_model" } },
        { "speechbrain.nnet.attention.PositionalwiseFeedForward", { same } },
        { "speechbrain.nnet.attention.RelPosMHAXL", { same, "embed_dim" } },
        { "speechbrain.nnet.attention.RoPEMHA", { same, "embed_dim" } },
        { "torch.nn.MultiheadAttention", { same, "embed_dim" } },
    });
}

} // namespace earwright::catalog
