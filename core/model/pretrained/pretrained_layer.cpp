#include "core/model/pretrained/pretrained_layer.h"

#include "core/settings/hub_source.h"

#include <torch/utils.h>

namespace earwright::model {

HubFolder hubFolderOf(const std::string& source, const std::string& savePath)
{
    const Result<std::filesystem::path> path = settings::findHubFolder(source, savePath);
    TORCH_CHECK(path, path.error().message);
    Result<HubFolder> folder = readHubFolder(*path);
    TORCH_CHECK(folder, folder.error().message);
    return std::move(*folder);
}

EncoderConfig withMasking(EncoderConfig encoder, bool applySpecAugment)
{
    encoder.applySpecAugment = applySpecAugment;
    return encoder;
}

void PretrainedLayer::setUp(torch::nn::Module& model, const EncoderConfig& encoder)
{
    m_layerdrop = encoder.layerdrop;
    m_masksFrames = m_config.applySpecAugment && encoder.timeMasking.share > 0;
    if (m_config.applySpecAugment && !encoder.hasMaskVector())
        tell("apply_spec_augment masks nothing: mask_time_prob and mask_feature_prob of "
             "config.json are 0");
    if (!m_config.freeze)
        return;
    for (const torch::Tensor& parameter : model.parameters())
        parameter.set_requires_grad(false);
    model.train(false);
    tell("the pretrained encoder is frozen: it gets no gradients and no dropout (SpeechBrain's "
         "training switches its dropout on again)");
}

void PretrainedLayer::freezeUnused()
{
    if (m_masksFrames)
        return;
    for (const auto& parameter : named_parameters())
        if (parameter.key().ends_with(".masked_spec_embed"))
            parameter.value().set_requires_grad(false);
}

torch::Tensor PretrainedLayer::chosen(const LayerOutputs& layers) const
{
    return m_config.outputAllHiddens ? torch::stack(layers.hidden_BTD) : layers.last_BTD;
}

void PretrainedLayer::train(bool on)
{
    Layer::train(on);
    if (m_config.freeze)
        for (const auto& child : children())
            child->train(false);
}

torch::Tensor PretrainedLayer::forward(torch::Tensor wav_BN, torch::Tensor lengths_B)
{
    if (!m_config.freeze)
        return encode(wav_BN, lengths_B);
    const torch::NoGradGuard noGrad;
    return encode(wav_BN, lengths_B);
}

} // namespace earwright::model
