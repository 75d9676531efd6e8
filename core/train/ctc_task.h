#pragma once

#include "core/catalog/configs/loss.h"
#include "core/train/augment.h"
#include "core/train/task.h"

namespace kymo::train {

/// task: ctc. Features -> normalise -> augment -> CNN -> encoder -> linear -> log softmax -> CTC
/// loss; greedy decoding. Reads the keys that core/README.md lists for the task.
class CtcTask final : public Task {
public:
    static Result<std::unique_ptr<Task>> make(const recipe::Node& recipe,
        std::shared_ptr<const data::TextEncoder> encoder, c10::Device device,
        const std::string& lossWeighting);

    using Task::run;
    torch::Tensor features(const data::Batch& batch, Stage stage) override;
    TaskOutput run(const data::Batch& batch, const torch::Tensor& features, Stage stage) override;
    LossUnit lossUnit() const override { return m_lossUnit; }
    ModuleSet& modules() override { return m_modules; }
    void observe(Observer observer) override { m_observer = std::move(observer); }
    void startEpoch(int64_t epoch) override;
    std::vector<std::pair<std::string, torch::Tensor>> extraState() const override;
    void restoreExtraState(const std::map<std::string, torch::Tensor>& state) override;

private:
    explicit CtcTask(ModuleSet modules)
        : m_modules(std::move(modules))
    {
    }
    torch::Tensor logProbs(const torch::Tensor& features_BTF, const torch::Tensor& lengths_B);
    torch::Tensor loss(const torch::Tensor& logProbs_BTV, const data::Batch& batch) const;
    torch::Tensor spectra(const torch::Tensor& waves_BT);

    /// A layer under the recipe's key; null where the recipe has none.
    struct Link {
        std::string key;
        std::shared_ptr<model::Layer> layer;
    };
    Link link(std::initializer_list<const char*> keys) const;
    torch::Tensor pass(const Link& link, const torch::Tensor& input, torch::Tensor lengths_B = {});

    ModuleSet m_modules;
    Observer m_observer;
    Link m_features, m_normalize, m_cnn, m_encoder, m_output, m_logSoftmax;
    FeatureAugmenter m_augmenter;
    catalog::CtcLossConfig m_loss;
    LossUnit m_lossUnit = LossUnit::Utterances;
    std::shared_ptr<const data::TextEncoder> m_textEncoder;
    c10::Device m_device = torch::kCPU;
};

} // namespace kymo::train
