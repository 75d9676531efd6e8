#pragma once

#include "core/catalog/configs/pretrained.h"
#include "core/model/pretrained/encoder_stack.h"
#include "core/model/pretrained/hub_folder.h"
#include "core/model/pretrained/hub_layer.h"

namespace earwright::model {

/// What SpeechBrain's wrappers of encoders of `transformers` have in common; child `model`. Unlike
/// upstream, a frozen encoder stays in evaluation in training too: upstream's train() switches its
/// dropout and layerdrop on again.
class PretrainedLayer : public HubLayer {
public:
    torch::Tensor forward(torch::Tensor wav_BN, torch::Tensor lengths_B = {}) final;
    bool hidesPadding() const override { return true; }
    void train(bool on = true) override;

    bool dropsLayers() const override { return !m_config.freeze && m_layerdrop > 0; }
    /// What no forward uses asks for no gradient, for which ranks would wait: the vector of masked
    /// frames where none is masked. Upstream asks for one, and the weight stays the same.
    void freezeUnused();

protected:
    explicit PretrainedLayer(const catalog::PretrainedEncoderConfig& config)
        : m_config(config)
    {
    }
    const catalog::PretrainedEncoderConfig& config() const { return m_config; }
    /// Once `model` is registered: freezes it where it is to be, and tells so and where
    /// apply_spec_augment has no effect.
    void setUp(torch::nn::Module& model, const EncoderConfig& encoder);

    /// What the recipe asks for of them: [B, T, D], or with output_all_hiddens [layers + 1, B, T,
    /// D].
    torch::Tensor chosen(const LayerOutputs& layers) const;

    virtual torch::Tensor encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B) = 0;

private:
    const catalog::PretrainedEncoderConfig m_config;
    double m_layerdrop = 0; ///< of config.json
    bool m_masksFrames = false;
};

/// The folder that `source` means. Throws c10::Error with what is wrong with it.
HubFolder hubFolderOf(const std::string& source, const std::string& savePath);

/// Masks only where the recipe says so, whatever config.json does.
EncoderConfig withMasking(EncoderConfig encoder, bool applySpecAugment);

} // namespace earwright::model
