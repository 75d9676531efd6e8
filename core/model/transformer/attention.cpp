#include "core/model/transformer/attention.h"

#include "core/model/transformer/dot_product.h"
#include "core/model/transformer/hyper_mixing.h"

#include <cmath>
#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>

namespace earwright::model {

namespace {

int64_t headSize(const AttentionSize& size)
{
    return size.width / size.heads;
}

Projection linear(int64_t inputs, int64_t outputs, bool bias)
{
    return Projection(torch::nn::LinearOptions(inputs, outputs).bias(bias));
}

} // namespace

std::shared_ptr<SelfAttention> makeSelfAttention(const std::string& type, const AttentionSize& size)
{
    TORCH_CHECK(size.heads > 0 && size.width % size.heads == 0, "nhead ", size.heads,
        " does not divide d_model ", size.width);
    if (type == "regularMHA")
        return std::make_shared<MultiheadAttention>(size);
    if (type == "RelPosMHAXL")
        return std::make_shared<RelativeAttention>(size);
    if (type == "RoPEMHA")
        return std::make_shared<RotaryAttention>(size);
    TORCH_CHECK(type == "hypermixing", "attention_type '", type,
        "' cannot be built: use regularMHA, RelPosMHAXL, RoPEMHA or hypermixing");
    return std::make_shared<HyperMixing>(
        MixingSize { .width = size.width, .hidden = size.mixing, .heads = size.heads });
}

MultiheadAttention::MultiheadAttention(const AttentionSize& size)
    : m_size(size)
    , m_out(linear(size.width, size.width, true))
{
    const auto att = register_module("att", std::make_shared<torch::nn::Module>());
    m_inWeight
        = att->register_parameter("in_proj_weight", torch::empty({ 3 * size.width, size.width }));
    m_inBias = att->register_parameter("in_proj_bias", torch::zeros({ 3 * size.width }));
    att->register_module("out_proj", m_out);
    torch::nn::init::xavier_uniform_(m_inWeight);
    torch::nn::init::zeros_(m_out->bias);
}

torch::Tensor MultiheadAttention::split(const torch::Tensor& projected_BTD) const
{
    return projected_BTD.unflatten(-1, { m_size.heads, headSize(m_size) }).transpose(1, 2);
}

torch::Tensor MultiheadAttention::project(const torch::Tensor& x_BTD, int64_t first, int64_t count)
{
    const int64_t begin = first * m_size.width;
    const int64_t rows = count * m_size.width;
    return torch::linear(x_BTD, m_inWeight.narrow(0, begin, rows), m_inBias.narrow(0, begin, rows));
}

torch::Tensor MultiheadAttention::attendHeads(const torch::Tensor& q_BHTE,
    const torch::Tensor& k_BHSE, const torch::Tensor& v_BHSE, const AttentionMask& mask)
{
    const double dropout = is_training() ? m_size.dropout : 0.0;
    const double scale = 1 / std::sqrt(static_cast<double>(headSize(m_size)));
    return m_out(dotProductAttention(q_BHTE, k_BHSE, v_BHSE, mask, dropout, scale));
}

torch::Tensor MultiheadAttention::forward(
    const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor&)
{
    const auto qkv = project(x_BTD, 0, 3).chunk(3, -1);
    return attendHeads(split(qkv[0]), split(qkv[1]), split(qkv[2]), mask);
}

void MultiheadAttention::KeysValues::append(const KeysValues& next)
{
    keys = keys.defined() ? torch::cat({ keys, next.keys }, 2) : next.keys;
    values = values.defined() ? torch::cat({ values, next.values }, 2) : next.values;
}

void MultiheadAttention::KeysValues::reorder(const torch::Tensor& rows_N)
{
    keys = keys.index_select(0, rows_N);
    values = values.index_select(0, rows_N);
}

MultiheadAttention::KeysValues MultiheadAttention::keysValues(const torch::Tensor& memory_BSD)
{
    const auto kv = project(memory_BSD, 1, 2).chunk(2, -1);
    return { split(kv[0]), split(kv[1]) };
}

torch::Tensor MultiheadAttention::attendTo(
    const torch::Tensor& query_BTD, const KeysValues& memory, const AttentionMask& mask)
{
    return attendHeads(split(project(query_BTD, 0, 1)), memory.keys, memory.values, mask);
}

torch::Tensor MultiheadAttention::attend(
    const torch::Tensor& query_BTD, const torch::Tensor& memory_BSD, const AttentionMask& mask)
{
    return attendTo(query_BTD, keysValues(memory_BSD), mask);
}

torch::Tensor MultiheadAttention::weights(
    const torch::Tensor& query_BTD, const torch::Tensor& memory_BSD, const AttentionMask& mask)
{
    return weightsOf(query_BTD, split(project(memory_BSD, 1, 1)), mask);
}

torch::Tensor MultiheadAttention::weightsOf(
    const torch::Tensor& query_BTD, const torch::Tensor& keys_BHSE, const AttentionMask& mask)
{
    const torch::Tensor q_BHTE
        = split(project(query_BTD, 0, 1)) / std::sqrt(static_cast<double>(headSize(m_size)));
    torch::Tensor scores_BHTS = torch::matmul(q_BHTE, keys_BHSE.transpose(-2, -1));
    if (const torch::Tensor masked = mask.united(); masked.defined())
        scores_BHTS = scores_BHTS.masked_fill(masked, -INFINITY);
    return torch::softmax(scores_BHTS, -1).mean(1);
}

} // namespace earwright::model
