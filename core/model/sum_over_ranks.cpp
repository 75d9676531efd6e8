#include "core/model/sum_over_ranks.h"

#include <torch/autograd.h>
#include <torch/custom_class.h>

namespace earwright::model {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct ReduceHolder final : torch::CustomClassHolder {
    explicit ReduceHolder(AllReduceSum function)
        : reduce(std::move(function))
    {
    }
    AllReduceSum reduce;
};

/// LibTorch's synchronised batch norm kernels exist for CUDA alone; sums exist everywhere.
class SumOverRanks final : public torch::autograd::Function<SumOverRanks> {
public:
    static torch::Tensor forward(
        AutogradContext* context, const torch::Tensor& sums, const AllReduceSum& reduce)
    {
        context->saved_data["reduce"]
            = c10::IValue::make_capsule(c10::make_intrusive<ReduceHolder>(reduce));
        torch::Tensor total = sums.clone();
        reduce(total);
        return total;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients)
    {
        const auto holder = context->saved_data["reduce"].toCapsule();
        torch::Tensor gradient = gradients[0].contiguous().clone();
        static_cast<ReduceHolder&>(*holder).reduce(gradient);
        return { gradient, {} };
    }
};

} // namespace

torch::Tensor sumOverRanks(const torch::Tensor& sums, const AllReduceSum& allReduce)
{
    return SumOverRanks::apply(sums, allReduce);
}

} // namespace earwright::model
