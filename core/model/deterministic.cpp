#include "core/model/deterministic.h"

#include "core/model/autocast_off.h"

#include <ATen/Context.h>
#include <cstdlib>
#include <torch/autograd.h>

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

torch::Tensor plainCtcLoss(const torch::Tensor& logProbs_TBV, const CtcTargets& targets,
    int64_t blankIndex, int64_t reduction)
{
    return torch::ctc_loss(logProbs_TBV, targets.labels_BS, targets.frames_B, targets.labels_B,
        blankIndex, reduction, /*zero_infinity=*/true);
}

// Note [No node of the host in a graph of the device]
// Autograd gives each device a thread. A node of the host beside those of a GPU hands its gradient
// on when it happens to end, so where three gradients meet, two of them are added first by chance.
// So the host computes the gradient with the loss, and the graph has a node of the device alone.
class HostCtcLoss final : public torch::autograd::Function<HostCtcLoss> {
public:
    static torch::Tensor forward(torch::autograd::AutogradContext* context,
        const torch::Tensor& logProbs_TBV, const CtcTargets& targets, int64_t blankIndex,
        int64_t reduction)
    {
        const torch::AutoGradMode withGradient(true);
        const torch::Tensor host_TBV = logProbs_TBV.detach().cpu().requires_grad_();
        const torch::Tensor loss = plainCtcLoss(host_TBV, targets, blankIndex, reduction);
        const torch::Tensor gradient_TBV
            = torch::autograd::grad({ loss.sum() }, { host_TBV }).front();
        context->save_for_backward({ gradient_TBV.to(logProbs_TBV.device()) });
        return loss.detach().to(logProbs_TBV.device());
    }

    static torch::autograd::variable_list backward(
        torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients)
    {
        const torch::Tensor& ofLoss = gradients.front();
        const torch::Tensor factor = ofLoss.dim() == 0 ? ofLoss : ofLoss.view({ 1, -1, 1 });
        return { context->get_saved_variables().front() * factor, {}, {}, {} };
    }
};

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

torch::Tensor ctcLossOf(const torch::Tensor& logProbs_TBV, const CtcTargets& targets,
    int64_t blankIndex, int64_t reduction)
{
    return needsFixedOrder(logProbs_TBV)
        ? ctcLossOnHost(logProbs_TBV, targets, blankIndex, reduction)
        : plainCtcLoss(logProbs_TBV, targets, blankIndex, reduction);
}

torch::Tensor ctcLossOnHost(const torch::Tensor& logProbs_TBV, const CtcTargets& targets,
    int64_t blankIndex, int64_t reduction)
{
    const CtcTargets onHost { targets.labels_BS.cpu(), targets.frames_B.cpu(),
        targets.labels_B.cpu() };
    if (torch::GradMode::is_enabled() && logProbs_TBV.requires_grad())
        return HostCtcLoss::apply(logProbs_TBV, onHost, blankIndex, reduction);
    return plainCtcLoss(logProbs_TBV.cpu(), onHost, blankIndex, reduction)
        .to(logProbs_TBV.device());
}

} // namespace earwright::model
