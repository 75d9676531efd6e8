#pragma once

#include <torch/types.h>

namespace earwright::model {

/// Where augmentations draw: LibTorch's CPU generator, whose state a checkpoint keeps, so that a
/// resumed run draws what an uninterrupted one would have drawn. A test puts recorded draws in its
/// place.
class RandomSource {
public:
    virtual ~RandomSource() = default;
    /// int64 in [low, high).
    virtual torch::Tensor integers(int64_t low, int64_t high, at::IntArrayRef shape)
    {
        return torch::randint(low, high, shape, torch::kLong);
    }
    /// float32 in [0, 1).
    virtual torch::Tensor uniform(at::IntArrayRef shape)
    {
        return torch::rand(shape, torch::kFloat);
    }
    /// float32, standard normal.
    virtual torch::Tensor normal(at::IntArrayRef shape)
    {
        return torch::randn(shape, torch::kFloat);
    }
    /// 0 … count - 1 in another order.
    virtual torch::Tensor permutation(int64_t count) { return torch::randperm(count); }

    int64_t integer(int64_t low, int64_t high)
    {
        return integers(low, high, { 1 }).item<int64_t>();
    }
};

} // namespace earwright::model
