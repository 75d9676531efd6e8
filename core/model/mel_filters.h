#pragma once

#include <torch/torch.h>

#include <vector>

namespace kymo::model {

/// What filters over frequency let through. Most of a mel filter is zero: on a CPU filters that lie
/// side by side are applied together, to no bins but theirs.
class MelFilters {
public:
    MelFilters() = default;
    /// [bins, mels]. Those of a device or with a gradient are applied whole.
    explicit MelFilters(torch::Tensor filters_KM);

    MelFilters to(const torch::TensorOptions& options) const;

    /// [..., window] of real samples, whose Fourier transform has `bins` -> power in each filter,
    /// [..., mels].
    torch::Tensor energies(const torch::Tensor& frames) const;

private:
    struct Band {
        int64_t first = 0; ///< bin
        torch::Tensor filters_KM; ///< as many each, of the last some that let nothing through; each
                                  ///< bin twice: for its real and its imaginary part
    };
    torch::Tensor m_filters_KM;
    std::vector<Band> m_bands;
};

/// [batch, time, window] cut over time: on a CPU into parts that stay in its cache from one
/// operation to the next.
std::vector<torch::Tensor> cacheSized(const torch::Tensor& frames_BTW);

} // namespace kymo::model
