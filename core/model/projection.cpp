#include "core/model/projection.h"

namespace earwright::model {

void ProjectionImpl::adapt(const MakeAdapter& make)
{
    TORCH_CHECK(!m_adapter, "a linear layer has one adapter");
    const std::shared_ptr<LinearAdapter> adapter = make({ weight, bias });
    if (m_check)
        m_check(*adapter);
    m_adapter = adapter;
    parameters_.clear();
    weight.reset();
    bias.reset();
    for (const auto& part : m_adapter->named_children())
        register_module(part.key(), part.value());
}

int64_t outputsOf(const torch::nn::Module& module, const std::string& linear)
{
    const auto parameters = module.named_parameters();
    for (const char* weight :
        { ".weight", ".pretrained_module.weight", ".pretrained_linear.weight" })
        if (const torch::Tensor* found = parameters.find(linear + weight))
            return found->size(0);
    return 0;
}

} // namespace earwright::model
