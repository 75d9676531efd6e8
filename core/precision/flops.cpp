#include "core/precision/flops.h"

#include <algorithm>
#include <ATen/core/ivalue.h>
#include <string_view>
#include <unordered_map>

namespace earwright::precision {

namespace {

using Inputs = c10::ArrayRef<const c10::IValue>;

double numel(const c10::IValue& value)
{
    return value.isTensor() && value.toTensor().defined()
        ? static_cast<double>(value.toTensor().numel())
        : 0.0;
}

double lastSize(const c10::IValue& value)
{
    return value.isTensor() && value.toTensor().dim() > 0
        ? static_cast<double>(value.toTensor().size(-1))
        : 0.0;
}

/// Every element of the left matrix meets one row of the right one.
double product(const c10::IValue& left, const c10::IValue& right)
{
    return 2 * numel(left) * lastSize(right);
}

/// Of a convolution: one filter per element of the output.
double filter(const c10::IValue& weight)
{
    return numel(weight) > 0 ? 2 * numel(weight) / static_cast<double>(weight.toTensor().size(0))
                             : 0.0;
}

Work matrices(Inputs in)
{
    return { product(in[0], in[1]) };
}

Work addedMatrices(Inputs in)
{
    return { product(in[1], in[2]) };
}

Work linear(Inputs in)
{
    return { in[1].isTensor() ? 2 * numel(in[0]) * static_cast<double>(in[1].toTensor().size(0))
                              : 0.0 };
}

Work convolution(Inputs in)
{
    return { 0, filter(in[1]) };
}

/// Gradient of the input and of the weight: twice the forward.
Work convolutionBackward(Inputs in)
{
    return { 2 * numel(in[0]) * filter(in[2]) };
}

double scoresAndSums(const c10::IValue& query, const c10::IValue& key)
{
    return key.isTensor() ? 4 * numel(query) * static_cast<double>(key.toTensor().size(-2)) : 0.0;
}

Work attention(Inputs in)
{
    return { scoresAndSums(in[0], in[1]) };
}

/// Five products where the forward has two.
Work attentionBackward(Inputs in)
{
    return { 2.5 * scoresAndSums(in[1], in[2]) };
}

double frames(const c10::IValue& input)
{
    return numel(input) / std::max(1.0, lastSize(input));
}

double matrixNumel(const at::Tensor& weight)
{
    return weight.defined() && weight.dim() > 1 ? static_cast<double>(weight.numel()) : 0.0;
}

/// Input and weight list first: cuDNN's RNN. Every weight matrix meets every frame once.
Work weightList(Inputs in)
{
    double weights = 0;
    if (in[1].isTensorList())
        for (const at::Tensor& weight : in[1].toTensorVector())
            weights += matrixNumel(weight);
    return { 2 * frames(in[0]) * weights };
}

Work weightListBackward(Inputs in)
{
    return { 2 * weightList(in).flops };
}

/// One layer of oneDNN's RNN: input, weight_ih, weight_hh.
Work oneLayer(Inputs in)
{
    const auto weight
        = [&](size_t i) { return in[i].isTensor() ? matrixNumel(in[i].toTensor()) : 0.0; };
    return { 2 * frames(in[0]) * (weight(1) + weight(2)) };
}

Work oneLayerBackward(Inputs in)
{
    return { 2 * oneLayer(in).flops };
}

using Count = Work (*)(Inputs);

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

Work workOf(const at::RecordFunction& operation)
{
    const auto found = counts().find(operation.name());
    const size_t needed = found != counts().end() && found->second == matrices ? 2 : 3;
    if (found == counts().end() || operation.inputs().size() < needed)
        return {};
    return found->second(operation.inputs());
}

} // namespace earwright::precision
