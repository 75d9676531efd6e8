#include "core/model/augment/amplitude.h"

namespace earwright::model {

torch::Tensor amplitudeOf(
    const torch::Tensor& waves_BT, Amplitude kind, const torch::Tensor& lengths_B1)
{
    if (kind == Amplitude::Peak)
        return waves_BT.abs().amax(1, true);
    const torch::Tensor sums_B1
        = (kind == Amplitude::Average ? waves_BT.abs() : waves_BT.square()).sum(1, true);
    const torch::Tensor means_B1
        = lengths_B1.defined() ? sums_B1 / lengths_B1 : sums_B1 / waves_BT.size(1);
    return kind == Amplitude::Average ? means_B1 : means_B1.sqrt();
}

} // namespace earwright::model
