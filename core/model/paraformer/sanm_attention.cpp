#include "core/model/paraformer/sanm_attention.h"

#include "core/model/depthwise.h"
#include "core/model/dropout.h"

#include <cmath>

namespace earwright::model {

namespace {

torch::Tensor splitHeads(const torch::Tensor& x_BTD, int64_t heads)
{
    return x_BTD.view({ x_BTD.size(0), x_BTD.size(1), heads, -1 }).transpose(1, 2);
}

torch::Tensor joinHeads(const torch::Tensor& x_BHTE)
{
    return x_BHTE.transpose(1, 2).flatten(2);
}

/// Padded keys get no weight, also in a row that has nothing else.
torch::Tensor weigh(
    const torch::Tensor& q_BHUE, const torch::Tensor& k_BHTE, const torch::Tensor& valid_BT)
{
    const torch::Tensor padded = valid_BT.logical_not().unsqueeze(1).unsqueeze(1);
    const double scale = 1 / std::sqrt(static_cast<double>(q_BHUE.size(-1)));
    const torch::Tensor scores = torch::matmul(q_BHUE * scale, k_BHTE.transpose(-2, -1));
    return torch::softmax(scores.masked_fill(padded, -std::numeric_limits<double>::infinity()), -1)
        .masked_fill(padded, 0);
}

void checkHeads(const SanmSize& size)
{
    TORCH_CHECK(size.width % size.heads == 0, "attention_heads ", size.heads,
        " do not divide the width ", size.width);
}

} // namespace

torch::nn::LayerNorm sanmNorm(int64_t width, double eps)
{
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({ width }).eps(eps));
}

FsmnMemory::FsmnMemory(const SanmSize& size)
    : m_size(size)
    , m_memory(register_module("fsmn_block",
          torch::nn::Conv1d(torch::nn::Conv1dOptions(size.width, size.width, size.kernelSize)
                                .groups(size.width)
                                .bias(false))))
{
}

torch::Tensor FsmnMemory::remember(const torch::Tensor& x_BTD, const torch::Tensor& valid_BT)
{
    const int64_t before = (m_size.kernelSize - 1) / 2 + m_size.shift;
    const int64_t after = m_size.kernelSize - 1 - before;
    const torch::Tensor valid = valid_BT.unsqueeze(-1);
    const torch::Tensor x = x_BTD * valid;
    const torch::Tensor padded = torch::constant_pad_nd(x.transpose(1, 2), { before, after });
    const torch::Tensor y = depthwise(*m_memory, padded).transpose(1, 2) + x;
    return dropped(y, m_size.dropout, is_training()) * valid;
}

SanmAttention::SanmAttention(const SanmSize& size)
    : FsmnMemory(size)
    , m_size(size)
    , m_out(register_module("linear_out", Projection(size.width, size.width)))
    , m_queryKeyValue(register_module("linear_q_k_v", Projection(size.inputs, 3 * size.width)))
{
    checkHeads(size);
}

torch::Tensor SanmAttention::forward(const torch::Tensor& x_BTI, const torch::Tensor& valid_BT)
{
    const std::vector<torch::Tensor> parts = m_queryKeyValue(x_BTI).chunk(3, -1);
    const torch::Tensor weights
        = weigh(splitHeads(parts[0], m_size.heads), splitHeads(parts[1], m_size.heads), valid_BT);
    const torch::Tensor seen = torch::matmul(
        dropped(weights, m_size.dropout, is_training()), splitHeads(parts[2], m_size.heads));
    return m_out(joinHeads(seen)) + remember(parts[2], valid_BT);
}

CrossAttention::CrossAttention(const SanmSize& size)
    : m_size(size)
    , m_query(register_module("linear_q", Projection(size.width, size.width)))
    , m_keyValue(register_module("linear_k_v", Projection(size.inputs, 2 * size.width)))
    , m_out(register_module("linear_out", Projection(size.width, size.width)))
{
    checkHeads(size);
}

Attended CrossAttention::forward(
    const torch::Tensor& x_BUD, const torch::Tensor& memory_BTD, const torch::Tensor& valid_BT)
{
    const std::vector<torch::Tensor> parts = m_keyValue(memory_BTD).chunk(2, -1);
    const torch::Tensor weights = weigh(
        splitHeads(m_query(x_BUD), m_size.heads), splitHeads(parts[0], m_size.heads), valid_BT);
    const torch::Tensor seen = torch::matmul(
        dropped(weights, m_size.dropout, is_training()), splitHeads(parts[1], m_size.heads));
    return { m_out(joinHeads(seen)), weights };
}

} // namespace earwright::model
