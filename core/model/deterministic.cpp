#include "core/model/deterministic.h"

#include "core/model/autocast_off.h"

#include <ATen/Context.h>
#include <cstdlib>

namespace earwright::model {

namespace {

torch::Tensor flippedBegin(const torch::Tensor& x, int64_t dim, int64_t count)
{
    return x.slice(dim, 1, 1 + count).flip(dim);
}

torch::Tensor flippedEnd(const torch::Tensor& x, int64_t dim, int64_t count)
{
    const int64_t last = x.size(dim) - 1;
    return x.slice(dim, last - count, last).flip(dim);
}

} // namespace

void makeDeterministic()
{
    // cuBLAS reads it when its first handle is made; without it its streams share a workspace.
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    at::globalContext().setDeterministicAlgorithms(true, false);
    at::globalContext().setDeterministicCuDNN(true);
    at::globalContext().setBenchmarkCuDNN(false);
    // Nothing here reads memory that was never written.
    at::globalContext().setDeterministicFillUninitializedMemory(false);
}

bool needsFixedOrder(const torch::Tensor& x)
{
    return !x.is_cpu() && at::globalContext().deterministicAlgorithms();
}

torch::Tensor cumulativeSum(const torch::Tensor& x, at::ScalarType type)
{
    return needsFixedOrder(x) ? cumulativeSumByProduct(x, type) : x.cumsum(1, type);
}

torch::Tensor cumulativeSumByProduct(const torch::Tensor& x, at::ScalarType type)
{
    const AutocastOff fullPrecision(x.device().type());
    const torch::Tensor columns = x.dim() == 2 ? x.unsqueeze(2) : x;
    const torch::Tensor ones
        = torch::ones({ x.size(1), x.size(1) }, x.options().dtype(at::kDouble)).tril();
    const torch::Tensor sums
        = ones.expand({ x.size(0), -1, -1 }).bmm(columns.to(at::kDouble)).to(type);
    return x.dim() == 2 ? sums.squeeze(2) : sums;
}

torch::Tensor reflectionPad(const torch::Tensor& x, at::IntArrayRef sides)
{
    return needsFixedOrder(x) ? reflectionPadByFlips(x, sides) : at::pad(x, sides, "reflect");
}

torch::Tensor reflectionPadByFlips(torch::Tensor x, at::IntArrayRef sides)
{
    for (size_t i = 0; i + 1 < sides.size(); i += 2) {
        const int64_t dim = x.dim() - 1 - static_cast<int64_t>(i / 2);
        TORCH_CHECK(std::max(sides[i], sides[i + 1]) < x.size(dim), "padding of ", sides[i],
            " and ", sides[i + 1], " needs a longer dimension ", dim, ": input has ", x.sizes());
        x = torch::cat(
            { flippedBegin(x, dim, sides[i]), x, flippedEnd(x, dim, sides[i + 1]) }, dim);
    }
    return x;
}

} // namespace earwright::model
