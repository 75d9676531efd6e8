#include "core/model/depthwise.h"

#include "core/model/autocast_off.h"

namespace earwright::model {

namespace {

/// Under autocast too.
bool isHalf(const torch::Tensor& x)
{
    return at::autocast::is_autocast_enabled(at::kCUDA)
        ? at::autocast::get_autocast_dtype(at::kCUDA) == at::kHalf
        : x.scalar_type() == at::kHalf;
}

} // namespace

// Note [Depthwise convolutions on a GPU]
// cuDNN plans a depthwise convolution anew for every length of a batch. On an H200 that took 0.3 to
// 0.5 s each, for kernels of a millisecond. ATen's own kernels need no plan, and were faster than
// cuDNN's with its plan made. ATen takes them for contiguous tensors of float32 and bfloat16, so in
// place of float16 stands float32.
torch::Tensor depthwise(torch::nn::Conv1dImpl& convolution, const torch::Tensor& x_BCT)
{
    if (!x_BCT.is_cuda())
        return convolution.forward(x_BCT);
    if (!isHalf(x_BCT))
        return convolution.forward(x_BCT.contiguous());
    const AutocastOff inFloat(at::kCUDA);
    return convolution.forward(x_BCT.to(at::kFloat).contiguous()).to(at::kHalf);
}

} // namespace earwright::model
