#pragma once

#include "core/base/names.h"
#include "core/model/layer.h"
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

protected:
    explicit PretrainedLayer(bool isFrozen)
        : m_isFrozen(isFrozen)
    {
    }
    bool isFrozen() const { return m_isFrozen; }
    void tell(std::string sentence) { m_told.push_back(std::move(sentence)); }
    /// Once `model` is registered: freezes it where it is to be.
    void freeze(torch::nn::Module& model);
    /// Copies a folder's weights into it. Throws c10::Error.
    void takeWeights(
        torch::nn::Module& model, const HubWeights& weights, const std::string& source);

    virtual torch::Tensor encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B) = 0;

private:
    bool m_isFrozen;
    Names m_told;
};

/// The folder that `source` means. Throws c10::Error with what is wrong with it.
HubFolder hubFolderOf(const std::string& source, const std::string& savePath);

/// Masks only where the recipe says so, whatever config.json does.
EncoderConfig withMasking(EncoderConfig encoder, bool applySpecAugment);

} // namespace earwright::model
