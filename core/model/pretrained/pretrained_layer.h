#pragma once

#include "core/base/names.h"
#include "core/catalog/configs/pretrained.h"
#include "core/model/layer.h"
#include "core/model/pretrained/encoder_stack.h"
#include "core/model/pretrained/hub_folder.h"

namespace earwright::model {

/// What SpeechBrain's wrappers of encoders of `transformers` have in common; child `model`. Unlike
/// upstream, a frozen encoder stays in evaluation in training too: upstream's train() switches its
/// dropout and layerdrop on again.
class PretrainedLayer : public Layer {
public:
    torch::Tensor forward(torch::Tensor wav_BN, torch::Tensor lengths_B = {}) final;
    bool hidesPadding() const override { return true; }
    void train(bool on = true) override;

    /// What the user should know of the weights and of what is frozen, a sentence each.
    const Names& told() const { return m_told; }
    /// Whether training leaves layers of it out now and then, which then have no gradients.
    bool dropsLayers() const { return !m_config.freeze && m_layerdrop > 0; }
    /// What no forward uses asks for no gradient, for which ranks would wait: the vector of masked
    /// frames where none is masked. Upstream asks for one, and the weight stays the same.
    void freezeUnused();

protected:
    explicit PretrainedLayer(const catalog::PretrainedEncoderConfig& config)
        : m_config(config)
    {
    }
    const catalog::PretrainedEncoderConfig& config() const { return m_config; }
    void tell(std::string sentence) { m_told.push_back(std::move(sentence)); }
    /// Once `model` is registered: freezes it where it is to be, and tells so and where
    /// apply_spec_augment has no effect.
    void setUp(torch::nn::Module& model, const EncoderConfig& encoder);
    /// Copies a folder's weights into it. Throws c10::Error.
    void takeWeights(torch::nn::Module& model, const HubWeights& weights);

    /// What the recipe asks for of them: [B, T, D], or with output_all_hiddens [layers + 1, B, T,
    /// D].
    torch::Tensor chosen(const LayerOutputs& layers) const;

    virtual torch::Tensor encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B) = 0;

private:
    const catalog::PretrainedEncoderConfig m_config;
    double m_layerdrop = 0; ///< of config.json
    bool m_masksFrames = false;
    Names m_told;
};

/// The folder that `source` means. Throws c10::Error with what is wrong with it.
HubFolder hubFolderOf(const std::string& source, const std::string& savePath);

/// Masks only where the recipe says so, whatever config.json does.
EncoderConfig withMasking(EncoderConfig encoder, bool applySpecAugment);

} // namespace earwright::model
