#include "core/model/pretrained/pretrained_layer.h"

#include <torch/utils.h>

namespace earwright::model {

HubFolder hubFolderOf(const std::string& source, const std::string& savePath)
{
    const Result<std::filesystem::path> path = findHubFolder(source, savePath);
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

void PretrainedLayer::freeze(torch::nn::Module& model)
{
    if (!m_isFrozen)
        return;
    for (const torch::Tensor& parameter : model.parameters())
        parameter.set_requires_grad(false);
    model.train(false);
    tell("the pretrained encoder is frozen: it gets no gradients and no dropout (SpeechBrain's "
         "training switches its dropout on again)");
}

void PretrainedLayer::takeWeights(
    torch::nn::Module& model, const HubWeights& weights, const std::string& source)
{
    const Result<Names> told = loadHubWeights(model, weights);
    TORCH_CHECK(told, "source '", source, "': ", told.error().message);
    m_told.insert(m_told.end(), told->begin(), told->end());
}

void PretrainedLayer::train(bool on)
{
    Layer::train(on);
    if (m_isFrozen)
        for (const auto& child : children())
            child->train(false);
}

torch::Tensor PretrainedLayer::forward(torch::Tensor wav_BN, torch::Tensor lengths_B)
{
    if (!m_isFrozen)
        return encode(wav_BN, lengths_B);
    const torch::NoGradGuard noGrad;
    return encode(wav_BN, lengths_B);
}

} // namespace earwright::model
