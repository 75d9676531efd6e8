#include "core/precision/flops.h"

#include <ATen/core/ivalue.h>
#include <string_view>
#include <unordered_map>

namespace kymo::precision {

namespace {

    using Inputs = c10::ArrayRef<const c10::IValue>;
    using Outputs = std::vector<c10::IValue>;

    double numel(const c10::IValue& value)
    {
        return value.isTensor() && value.toTensor().defined() ? static_cast<double>(value.toTensor().numel()) : 0.0;
    }

    double lastSize(const c10::IValue& value)
    {
        return value.isTensor() && value.toTensor().dim() > 0 ? static_cast<double>(value.toTensor().size(-1)) : 0.0;
    }

    /// Every element of the product is a sum over the inner size of the left matrix.
    double product(const c10::IValue& left, const c10::IValue& right)
    {
        return 2 * numel(left) * lastSize(right);
    }

    double perOutput(const c10::IValue& output, const c10::IValue& weight)
    {
        const double channels = numel(weight) > 0 ? static_cast<double>(weight.toTensor().size(0)) : 1.0;
        return 2 * numel(output) * numel(weight) / channels;
    }

    double matrices(Inputs in, const Outputs&) { return product(in[0], in[1]); }
    double addedMatrices(Inputs in, const Outputs&) { return product(in[1], in[2]); }
    double linear(Inputs in, const Outputs&)
    {
        return in[1].isTensor() ? 2 * numel(in[0]) * static_cast<double>(in[1].toTensor().size(0)) : 0.0;
    }
    double convolution(Inputs in, const Outputs& out) { return out.empty() ? 0.0 : perOutput(out[0], in[1]); }

    /// Gradient of the input and of the weight: twice the forward.
    double convolutionBackward(Inputs in, const Outputs&) { return 2 * perOutput(in[0], in[2]); }

    double attention(Inputs in, const Outputs&)
    {
        return in[1].isTensor() ? 4 * numel(in[0]) * static_cast<double>(in[1].toTensor().size(-2)) : 0.0;
    }

    double attentionBackward(Inputs in, const Outputs& out)
    {
        return 2.5 * attention(in.slice(1), out);
    }

    double frames(const c10::IValue& input)
    {
        return numel(input) / std::max(1.0, lastSize(input));
    }

    double matrixNumel(const c10::IValue& value)
    {
        return value.isTensor() && value.toTensor().dim() > 1 ? numel(value) : 0.0;
    }

    /// Input and weight list first: cuDNN's RNN. Every weight matrix meets every frame once.
    double weightList(Inputs in, const Outputs&)
    {
        double weights = 0;
        if (in[1].isTensorList())
            for (const at::Tensor& weight : in[1].toTensorVector())
                weights += weight.dim() > 1 ? static_cast<double>(weight.numel()) : 0.0;
        return 2 * frames(in[0]) * weights;
    }

    double weightListBackward(Inputs in, const Outputs& out) { return 2 * weightList(in, out); }

    /// One layer of oneDNN's RNN: input, weight_ih, weight_hh.
    double oneLayer(Inputs in, const Outputs&)
    {
        return 2 * frames(in[0]) * (matrixNumel(in[1]) + matrixNumel(in[2]));
    }

    double oneLayerBackward(Inputs in, const Outputs& out) { return 2 * oneLayer(in, out); }

    using Count = double (*)(Inputs, const Outputs&);

    const std::unordered_map<std::string_view, Count>& counts()
    {
        static const std::unordered_map<std::string_view, Count> table = {
            { "aten::mm", matrices },
            { "aten::bmm", matrices },
            { "aten::addmm", addedMatrices },
            { "aten::addmm_", addedMatrices },
            { "aten::_addmm_activation", addedMatrices },
            { "aten::baddbmm", addedMatrices },
            { "aten::baddbmm_", addedMatrices },
            { "aten::linear", linear },
            { "aten::mkldnn_linear", linear },
            { "aten::convolution", convolution },
            { "aten::_convolution", convolution },
            { "aten::cudnn_convolution", convolution },
            { "aten::mkldnn_convolution", convolution },
            { "aten::thnn_conv2d", convolution },
            { "aten::_slow_conv2d_forward", convolution },
            { "aten::conv_depthwise2d", convolution },
            { "aten::_conv_depthwise2d", convolution },
            { "aten::convolution_backward", convolutionBackward },
            { "aten::_scaled_dot_product_flash_attention", attention },
            { "aten::_scaled_dot_product_flash_attention_for_cpu", attention },
            { "aten::_scaled_dot_product_efficient_attention", attention },
            { "aten::_scaled_dot_product_cudnn_attention", attention },
            { "aten::_scaled_dot_product_flash_attention_backward", attentionBackward },
            { "aten::_scaled_dot_product_flash_attention_for_cpu_backward", attentionBackward },
            { "aten::_scaled_dot_product_efficient_attention_backward", attentionBackward },
            { "aten::_scaled_dot_product_cudnn_attention_backward", attentionBackward },
            { "aten::_cudnn_rnn", weightList },
            { "aten::_cudnn_rnn_backward", weightListBackward },
            { "aten::mkldnn_rnn_layer", oneLayer },
            { "aten::mkldnn_rnn_layer_backward", oneLayerBackward },
        };
        return table;
    }

} // namespace

bool isMatrixOperator(const char* name)
{
    return counts().contains(name);
}

double flopsOf(const at::RecordFunction& operation)
{
    const auto found = counts().find(operation.name());
    if (found == counts().end() || operation.inputs().size() < 3 - (found->second == matrices ? 1U : 0U))
        return 0;
    return found->second(operation.inputs(), operation.outputs());
}

} // namespace kymo::precision
