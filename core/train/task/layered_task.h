#pragma once

#include "core/data/text_encoder.h"
#include "core/train/task/augment.h"
#include "core/train/task/task.h"

#include <limits>

namespace earwright::train {

/// What the tasks share: the recipe's layers by their keys, features that are computed in halves
/// where they do not fit into memory, `wav_augment` and `fea_augment`, and `normalize` with its
/// state.
class LayeredTask : public Task {
public:
    ModuleSet& modules() override { return m_modules; }
    void observe(Observer observer) override { m_observer = std::move(observer); }
    void startEpoch(int64_t epoch) override;
    void startStep(int64_t stepsDone) override { m_stepsDone = stepsDone; }
    std::vector<std::pair<std::string, torch::Tensor>> extraState() const override;
    void restoreExtraState(const std::map<std::string, torch::Tensor>& state) override;
    Unmatched unmatchedExtraState(const std::map<std::string, torch::Tensor>& state) const override;

protected:
    /// A layer under the recipe's key; null where the recipe has none.
    struct Link {
        std::string key;
        std::shared_ptr<model::Layer> layer;
    };

    LayeredTask(
        ModuleSet modules, std::shared_ptr<const data::TextEncoder> encoder, c10::Device device);

    /// The first of the keys that is there.
    Link link(std::initializer_list<const char*> keys) const;
    /// The input itself where the recipe has no such layer.
    torch::Tensor pass(
        const Link& link, const torch::Tensor& input, torch::Tensor lengths_B = {}) const;
    /// Tells the observer: the layer of this key is given `input`; key "": `input` is the last.
    void tell(const std::string& key, const torch::Tensor& input) const;
    /// As pass(), of waveforms, which know nothing of each other: in halves where they do not fit.
    torch::Tensor spectra(
        const Link& link, const torch::Tensor& waves_BT, const torch::Tensor& lengths_B = {}) const;

    /// Errors: an augmentation that is not known, or that the recipe's task cannot do.
    Status readAugmenters(const recipe::Node& recipe);
    /// The batch's waveforms on the device, augmented in training.
    torch::Tensor waves(const data::Batch& batch, Stage stage) const;
    /// Augmented in training. lengths_B: relative, on the CPU.
    torch::Tensor augmented(
        const torch::Tensor& features_BTF, const torch::Tensor& lengths_B, Stage stage) const;
    /// The same for a task that carries rows: the batch's waves on the device, and its features.
    TrainingInput augmentedWaves(const data::Batch& batch) const;
    /// Of waves that a layer has made of the batch's, of less samples. Gradients pass.
    TrainingInput augmentedWaves(const data::Batch& batch, const torch::Tensor& waves_BT) const;
    TrainingInput augmentedFeatures(const TrainingInput& given) const;

    const Link& normalize() const { return m_normalize; }
    const data::TextEncoder& textEncoder() const { return *m_textEncoder; }
    c10::Device device() const { return m_device; }

private:
    bool augments() const { return m_stepsDone > m_augmentWarmup; }
    /// Of `compute_features`; nothing where the recipe has none.
    std::optional<int64_t> featureSize() const;

    ModuleSet m_modules;
    std::shared_ptr<const data::TextEncoder> m_textEncoder;
    c10::Device m_device;
    Link m_normalize;
    BatchAugmenter m_waveAugmenter, m_featureAugmenter;
    /// `augment_warmup`: batches stay as they are until more steps are done; -1 = from the first
    /// on.
    int64_t m_augmentWarmup = -1;
    int64_t m_stepsDone = std::numeric_limits<int64_t>::max();
    Observer m_observer;
};

} // namespace earwright::train
