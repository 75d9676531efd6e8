#include "core/model/adapters/lora_layers.h"

#include "core/model/dropout.h"

#include <algorithm>
#include <cmath>
#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace earwright::model {

namespace {

/// As upstream draws `lora_A`: a weight of torch.nn.Linear.
torch::Tensor drawnDown(int64_t rows, int64_t inputs)
{
    return torch::nn::init::kaiming_uniform_(torch::empty({ rows, inputs }), std::sqrt(5));
}

int64_t countOf(const std::vector<bool>& flags)
{
    return std::count(flags.begin(), flags.end(), true);
}

torch::Tensor placesOf(const std::vector<bool>& flags)
{
    std::vector<int64_t> places;
    for (size_t i = 0; i < flags.size(); ++i)
        if (flags[i])
            places.push_back(static_cast<int64_t>(i));
    return torch::tensor(places, torch::kInt64);
}

} // namespace

LoraLinear::LoraLinear(int64_t inputs, int64_t outputs, const LoraSize& size)
    : m_size(size)
{
    const torch::nn::Linear drawn(inputs, outputs);
    m_weight_OI = register_parameter("weight", drawn->weight, false);
    m_bias_O = register_parameter("bias", drawn->bias);
    m_a_RI = register_parameter("lora_A", drawnDown(size.rank, inputs));
    m_b_OR = register_parameter("lora_B", torch::zeros({ outputs, size.rank }));
}

torch::Tensor LoraLinear::forward(const torch::Tensor& x)
{
    const torch::Tensor down = torch::linear(dropped(x, m_size.dropout, is_training()), m_a_RI);
    return torch::add(
        torch::linear(x, m_weight_OI, m_bias_O), torch::linear(down, m_b_OR), m_size.scale());
}

LoraMergedLinear::LoraMergedLinear(
    int64_t inputs, int64_t outputs, const std::vector<bool>& isAdapted, const LoraSize& size)
    : m_size(size)
    , m_groups(std::ssize(isAdapted))
{
    const int64_t adapted = countOf(isAdapted);
    TORCH_CHECK(adapted > 0 && outputs % m_groups == 0, m_groups, " groups, of which ", adapted,
        " are adapted, must divide ", outputs, " outputs");
    const torch::nn::Linear drawn(inputs, outputs);
    m_weight_OI = register_parameter("weight", drawn->weight, false);
    m_bias_O = register_parameter("bias", drawn->bias);
    m_a = register_parameter("lora_A", drawnDown(adapted * size.rank, inputs));
    m_b = register_parameter("lora_B", torch::zeros({ adapted * (outputs / m_groups), size.rank }));
    m_adapted_G = placesOf(isAdapted);
}

torch::Tensor LoraMergedLinear::forward(const torch::Tensor& x)
{
    if (m_adapted_G.device() != x.device())
        m_adapted_G = m_adapted_G.to(x.device());
    const int64_t adapted = m_adapted_G.size(0);
    const torch::Tensor y = torch::linear(x, m_weight_OI, m_bias_O);
    const torch::Tensor down = torch::linear(dropped(x, m_size.dropout, is_training()), m_a)
                                   .unflatten(-1, { adapted, -1 });
    const torch::Tensor up
        = torch::einsum("...gr,gor->...go", { down, m_b.unflatten(0, { adapted, -1 }) });
    return y.unflatten(-1, { m_groups, -1 })
        .index_add(-2, m_adapted_G, up, m_size.scale())
        .flatten(-2);
}

LoraEmbedding::LoraEmbedding(int64_t tokens, int64_t width, const LoraSize& size)
    : m_size(size)
    , m_weight_VD(register_parameter("weight", torch::randn({ tokens, width }), false))
    , m_a_RV(register_parameter("lora_A", torch::zeros({ size.rank, tokens })))
    , m_b_DR(register_parameter("lora_B", torch::randn({ width, size.rank })))
{
}

torch::Tensor LoraEmbedding::forward(const torch::Tensor& tokens)
{
    const torch::Tensor down = torch::embedding(m_a_RV.t(), tokens);
    return torch::add(
        torch::embedding(m_weight_VD, tokens), torch::linear(down, m_b_DR), m_size.scale());
}

} // namespace earwright::model
