#pragma once

#include "core/catalog/configs/loss.h"
#include "core/train/task/layered_task.h"

namespace earwright::train {

/// What the tasks of SpeechBrain's recipes share: waveforms -> `wav_augment` -> `compute_features`
/// -> `normalize` -> `fea_augment`, `ctc_cost` and greedy texts. Filters with `requires_grad: True`
/// learn. With a pretrained encoder, `wav2vec2`, the features are the waves themselves, which it
/// makes its frames of when the model is run; those `fea_augment` changes. SpeechBrain's own
/// encoder, `extractor` and `encoder_wrapper`, does the same, and its `extractor` is not trained,
/// as in SpeechBrain's script. A `downsampler` shortens the waves before they are augmented.
class SpeechTask : public LayeredTask {
public:
    torch::Tensor features(const data::Batch& batch, Stage stage) override;
    TrainingInput trainingInput(const data::Batch& batch) override;

protected:
    /// `name`: as the recipe's `task` says it, for messages.
    SpeechTask(std::string name, ModuleSet modules,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device);
    /// The augmenters and `ctc_cost`. Errors: neither features nor a pretrained encoder, an
    /// augmentation that is not known here, another loss than CTC.
    Status readRecipe(const recipe::Node& recipe);
    Error missing(const std::string& what) const;
    /// A label beyond the last class would be read outside the output.
    /// `frames`: that the layer gives for one.
    Status fitsLabels(const Link& output, int64_t frames = 1) const;

    /// `log_softmax` of the recipe or the plain one, in float32 under every precision.
    torch::Tensor logSoftmax(const torch::Tensor& logits_BTV);
    /// The best path of a CTC output, a text a row.
    std::vector<std::string> greedyTexts(
        const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const;

    /// What the layers behind are given of features(): a pretrained encoder's frames, else those.
    torch::Tensor frames(const torch::Tensor& features, const torch::Tensor& lengths_B) const;
    /// The same as a stage has them: frames of an encoder are augmented in training.
    torch::Tensor frames(
        const data::Batch& batch, const torch::Tensor& features, Stage stage) const;
    const catalog::CtcLossConfig& ctcCost() const { return m_ctcCost; }

private:
    torch::Tensor normalised(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B) const;
    TrainingInput downsampledWaves(const data::Batch& batch) const;
    bool learnsFeatures() const;

    std::string m_name;
    Link m_features, m_downsampler, m_pretrained, m_latentEncoder, m_logSoftmax;
    catalog::CtcLossConfig m_ctcCost;
};

} // namespace earwright::train
