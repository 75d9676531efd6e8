#include "core/model/whisper/whisper.h"

#include "core/settings/hub_source.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

WhisperFolder whisperFolderOf(const catalog::WhisperConfig& config)
{
    const Result<std::filesystem::path> path
        = settings::findHubFolder(config.source, config.savePath, settings::HubKind::Whisper);
    TORCH_CHECK(path, path.error().message);
    Result<WhisperFolder> folder = readWhisperFolder(*path, config.encoderOnly);
    TORCH_CHECK(folder, folder.error().message);
    return std::move(*folder);
}

void setTrainable(torch::nn::Module& module, bool isTrainable)
{
    for (const torch::Tensor& parameter : module.parameters())
        parameter.set_requires_grad(isTrainable);
}

} // namespace

Whisper::Whisper(const catalog::WhisperConfig& config, const WhisperSizes& sizes)
    : m_config(config)
    , m_model(register_module("model", std::make_shared<WhisperModel>(sizes, config.encoderOnly)))
    , m_logMel(sizes.mels)
{
    register_buffer("_mel_filters", m_logMel.filters_MK().clone());
    freezeWhatIsTold();
    if (sizes.applySpecAugment && !config.freeze)
        tell("apply_spec_augment of config.json masks features in training (SpeechBrain's wrapper "
             "reads past it)");
}

Whisper::Whisper(const catalog::WhisperConfig& config, const WhisperFolder& folder)
    : Whisper(config, folder.sizes)
{
    m_folder = folder.path;
    takeWeights(*m_model, folder.weights, config.source);
}

Whisper::Whisper(const catalog::WhisperConfig& config)
    : Whisper(config, whisperFolderOf(config))
{
}

void Whisper::freezeWhatIsTold()
{
    const char* what = m_config.freeze ? "whole model" : "encoder";
    setTrainable(*m_model, !m_config.freeze);
    if (m_config.freezeEncoder)
        setTrainable(m_model->encoder(), false);
    if (m_config.freeze || m_config.freezeEncoder)
        tell(std::string("the ") + what
            + " is frozen: it gets no gradients and no dropout (SpeechBrain's training leaves its "
              "dropout on)");
    train();
}

bool Whisper::dropsLayers() const
{
    if (m_config.freeze)
        return false;
    const bool ofEncoder = !m_config.freezeEncoder && sizes().encoder.layerdrop > 0;
    return ofEncoder || (!m_config.encoderOnly && sizes().decoder.layerdrop > 0);
}

void Whisper::train(bool on)
{
    Layer::train(on);
    if (m_config.freeze)
        m_model->train(false);
    if (m_config.freezeEncoder)
        m_model->encoder().train(false);
}

torch::Tensor Whisper::mel(const torch::Tensor& wav_BN)
{
    return m_logMel.of(wav_BN, m_loudest);
}

torch::Tensor Whisper::melOfAll(const torch::Tensor& wav_BN)
{
    return wav_BN.size(1) > LogMel::kSamples ? m_logMel.ofWhole(wav_BN, m_loudest) : mel(wav_BN);
}

torch::Tensor Whisper::encode(const torch::Tensor& mel_BMF)
{
    const LayerOutputs layers = m_model->encode(mel_BMF, m_config.outputAllHiddens);
    return m_config.outputAllHiddens ? torch::stack(layers.hidden_BTD) : layers.last_BTD;
}

torch::Tensor Whisper::forward(torch::Tensor wav_BN, torch::Tensor)
{
    return encode(mel(wav_BN));
}

torch::Tensor Whisper::lastLayer(const torch::Tensor& encoder) const
{
    return m_config.outputAllHiddens ? encoder.select(0, -1) : encoder;
}

torch::Tensor Whisper::logits(const torch::Tensor& encoder_BTD, const torch::Tensor& tokens_BU)
{
    WhisperDecoder& decoder = m_model->decoder();
    return decoder.logits(decoder.forward(tokens_BU, lastLayer(encoder_BTD), false).last_BTD);
}

WhisperSearch Whisper::startSearch(const torch::Tensor& encoder_BTD)
{
    return m_model->decoder().startSearch(lastLayer(encoder_BTD));
}

} // namespace earwright::model
