#pragma once

#include <torch/types.h>

#include <vector>

// Shapes: B rows, T frames, W samples of a frame's window, K frequency bins, M mel filters.

namespace earwright::model {

/// What filters over frequency let through. Most of a mel filter is zero: in float32 on a CPU each
/// is applied to its own bins, of several frames at once.
class MelFilters {
public:
    MelFilters() = default;
    /// [bins, mels]. Those of a device, of another type or with a gradient are applied whole.
    explicit MelFilters(torch::Tensor filters_KM);

    MelFilters to(const torch::TensorOptions& options) const;

    /// [..., window] of real samples, whose Fourier transform has `bins` -> power in each filter,
    /// [..., mels].
    torch::Tensor energies(const torch::Tensor& frames) const;
    /// The same of [batch, time, window], for a GPU. See Note [Few transforms for cuFFT].
    torch::Tensor energiesOfRounded(const torch::Tensor& frames_BTW) const;

    /// What a filter multiplies: bins from `first` on.
    struct Filter {
        int64_t first = 0;
        std::vector<float> weights;
    };

private:
    torch::Tensor m_filters_KM;
    std::vector<Filter> m_sparse; ///< the same; empty where they are applied whole
};

/// [batch, time, window] cut over time: on a CPU into parts that stay in its cache from one
/// operation to the next.
std::vector<torch::Tensor> cacheSized(const torch::Tensor& frames_BTW);

} // namespace earwright::model
