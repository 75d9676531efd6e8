#include "core/model/transformer/layer_drop.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/types.h>

namespace earwright::model {

namespace {

thread_local const LayerChoice* t_choice = nullptr;

torch::Tensor chances(int64_t count, std::optional<uint64_t> seed)
{
    if (!seed)
        return torch::rand({ count }, torch::kFloat);
    return torch::rand({ count }, at::detail::createCPUGenerator(*seed), torch::kFloat);
}

} // namespace

LayerChoice::LayerChoice()
    : m_outer(t_choice)
{
    t_choice = this;
}

LayerChoice::LayerChoice(uint64_t seed)
    : m_seed(seed)
    , m_outer(t_choice)
{
    t_choice = this;
}

LayerChoice::~LayerChoice()
{
    t_choice = m_outer;
}

std::vector<bool> droppedLayers(int64_t count, double share)
{
    std::vector<bool> dropped(static_cast<size_t>(count));
    if (share <= 0 || (t_choice && !t_choice->m_seed))
        return dropped;
    const torch::Tensor drawn = chances(count, t_choice ? t_choice->m_seed : std::nullopt);
    for (int64_t i = 0; i < count; ++i)
        dropped[static_cast<size_t>(i)] = drawn[i].item<float>() <= share;
    return dropped;
}

std::optional<uint64_t> seedOfBatch()
{
    return t_choice ? t_choice->m_seed : std::nullopt;
}

} // namespace earwright::model
