#include "core/catalog/given.h"
#include "core/catalog/shape_rules.h"

namespace earwright::catalog {

using recipe::Node;

namespace {

int64_t withDeltasAndContext(const Given& given, int64_t features)
{
    const int64_t frames = given.flag("context")
        ? given.integer("left_frames") + given.integer("right_frames") + 1
        : 1;
    return features * (given.flag("deltas") ? 3 : 1) * frames;
}

FrameShape fbank(const Node& node, const FrameShape&)
{
    const Given given(node);
    return { withDeltasAndContext(given, given.integer("n_mels")) };
}

FrameShape mfcc(const Node& node, const FrameShape&)
{
    const Given given(node);
    return { withDeltasAndContext(given, given.integer("n_mfcc")) };
}

/// As wide as its checkpoint says.
FrameShape ofCheckpoint(const Node&, const FrameShape&)
{
    return {};
}

FrameShape leaf(const Node& node, const FrameShape&)
{
    return { Given(node).integer("out_channels") };
}

} // namespace

void addFeatureShapes(ShapeRules& rules)
{
    rules.insert({
        { "speechbrain.augment.freq_domain.RandomShift", { same } },
        { "speechbrain.augment.freq_domain.SpectrogramDrop", { same } },
        { "speechbrain.augment.freq_domain.Warping", { same } },
        { "speechbrain.integrations.huggingface.hubert.HuBERT", { ofCheckpoint } },
        { "speechbrain.integrations.huggingface.w2v_bert.W2VBert", { ofCheckpoint } },
        { "speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2", { ofCheckpoint } },
        { "speechbrain.integrations.huggingface.wavlm.WavLM", { ofCheckpoint } },
        { "speechbrain.integrations.huggingface.whisper.Whisper", { ofCheckpoint } },
        { "speechbrain.lobes.features.Fbank", { fbank } },
        { "speechbrain.lobes.features.Leaf", { leaf } },
        { "speechbrain.lobes.features.MFCC", { mfcc } },
        { "speechbrain.processing.features.GlobalNorm", { same } },
        { "speechbrain.processing.features.InputNormalization", { same } },
    });
}

} // namespace earwright::catalog
