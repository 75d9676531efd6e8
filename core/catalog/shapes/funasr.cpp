#include "core/catalog/given.h"
#include "core/catalog/shape_rules.h"

namespace earwright::catalog {

using recipe::Node;

namespace {

FrameShape encoder(const Node& node, const FrameShape&)
{
    return { Given(node).integer("output_size") };
}

/// Takes the predictor's embeddings, one for each token.
FrameShape paraformerDecoder(const Node& node, const FrameShape&)
{
    const Given given(node);
    return { given.integer(given.flag("use_output_layer") ? "vocab_size" : "encoder_output_size") };
}

FrameShape attention(const Node& node, const FrameShape&)
{
    return { Given(node).integer("n_feat") };
}

FrameShape feedForward(const Node& node, const FrameShape&)
{
    const Given given(node);
    const int64_t other = given.integer("adim");
    return { other > 0 ? other : given.integer("idim") };
}

/// A frame is `lfr_m` frames side by side.
FrameShape frontend(const Node& node, const FrameShape&)
{
    const Given given(node);
    return { given.integer("n_mels") * given.integer("lfr_m") };
}

} // namespace

void addFunasrShapes(ShapeRules& rules)
{
    rules.insert({
        { "funasr.frontends.wav_frontend.WavFrontend", { frontend } },
        { "funasr.frontends.wav_frontend.WavFrontendOnline", { frontend } },
        { "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3", { same, "idim" } },
        { "funasr.models.branchformer.encoder.BranchformerEncoder", { encoder } },
        { "funasr.models.conformer.encoder.ConformerEncoder", { encoder } },
        { "funasr.models.e_branchformer.encoder.EBranchformerEncoder", { encoder } },
        { "funasr.models.paraformer.cif_predictor.CifPredictor", { same, "idim" } },
        { "funasr.models.paraformer.cif_predictor.CifPredictorV2", { same, "idim" } },
        { "funasr.models.paraformer.decoder.ParaformerSANDecoder",
            { paraformerDecoder, "encoder_output_size" } },
        { "funasr.models.paraformer.decoder.ParaformerSANMDecoder",
            { paraformerDecoder, "encoder_output_size" } },
        { "funasr.models.sanm.attention.MultiHeadedAttentionCrossAtt", { attention, "n_feat" } },
        { "funasr.models.sanm.attention.MultiHeadedAttentionSANM", { attention, "in_feat" } },
        { "funasr.models.sanm.attention.MultiHeadedAttentionSANMDecoder", { attention, "n_feat" } },
        { "funasr.models.sanm.encoder.SANMEncoder", { encoder } },
        { "funasr.models.sanm.positionwise_feed_forward.PositionwiseFeedForwardDecoderSANM",
            { feedForward, "idim" } },
        { "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", { encoder } },
        { "funasr.models.specaug.specaug.SpecAug", { same } },
        { "funasr.models.specaug.specaug.SpecAugLFR", { same } },
        { "funasr.models.transformer.encoder.TransformerEncoder", { encoder } },
        { "wenet.transformer.encoder.ConformerEncoder", { encoder } },
        { "wenet.transformer.encoder.TransformerEncoder", { encoder } },
    });
}

} // namespace earwright::catalog
