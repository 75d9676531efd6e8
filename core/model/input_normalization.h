#pragma once

#include "core/catalog/configs/features.h"
#include "core/model/layer.h"
#include "core/model/statistics.h"

#include <map>
#include <string>

namespace earwright::model {

/// speechbrain.processing.features.InputNormalization over [batch, time, features]: mean 0 and
/// deviation 1 of each feature over the valid frames of a row (sentence), of the batch (batch) or
/// of all training frames seen so far (global). float32 under every precision.
class InputNormalization final : public Layer, public SharesStatistics {
public:
    explicit InputNormalization(const catalog::InputNormalizationConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    /// Global statistics learn in training mode while the epoch (from 1) is below
    /// update_until_epoch, in all of them where that is null or 0.
    void setEpoch(int64_t epoch) { m_epoch = epoch; }
    void setAllReduce(AllReduceSum allReduce) override { m_allReduce = std::move(allReduce); }

    /// Of all training frames, in its state.
    bool keepsStatistics() const { return m_config.normType == "global"; }
    bool mixesRows() const override { return m_config.normType != "sentence"; }

    /// count (int64 frames), glob_mean, glob_std: not in the state_dict, as upstream, which saves
    /// them apart.
    std::map<std::string, torch::Tensor> state() const;
    /// Throws c10::Error where one of the three is missing.
    void restore(const std::map<std::string, torch::Tensor>& state);

private:
    struct Moments {
        torch::Tensor count;
        torch::Tensor mean;
        torch::Tensor variance;
    };
    Moments batchMoments(const torch::Tensor& x_BTF, const torch::Tensor& mask_BT1) const;
    Moments overRanks(const Moments& batch) const;
    bool isLearning() const;
    void learn(const Moments& batch);
    std::pair<torch::Tensor, torch::Tensor> meanAndStd(
        const torch::Tensor& x_BTF, const torch::Tensor& mask_BT1);

    catalog::InputNormalizationConfig m_config;
    AllReduceSum m_allReduce;
    int64_t m_epoch = 0; ///< 0: not told, always learn
    torch::Tensor m_count; ///< float64 scalar
    torch::Tensor m_mean; ///< undefined before the first batch
    torch::Tensor m_std;
};

} // namespace earwright::model
