#include "core/model/adapters/merged_weights.h"

#include "core/model/adapters/linear_adapter.h"

#include <set>
#include <torch/utils.h>

namespace earwright::model {

namespace {

class Merging final {
public:
    void add(const torch::nn::Module& module, const std::string& prefix)
    {
        if (!m_seen.insert(&module).second)
            return;
        const auto* adaptable = dynamic_cast<const Adaptable*>(&module);
        if (adaptable && adaptable->isAdapted()) {
            const LinearWeights weights = adaptable->weightsInForce();
            keep(prefix + "weight", weights.weight_OI);
            if (weights.bias_O.defined())
                keep(prefix + "bias", weights.bias_O);
            ++m_found.adapters;
            return;
        }
        for (const auto& list : { module.named_parameters(false), module.named_buffers(false) })
            for (const auto& item : list)
                keep(prefix + item.key(), item.value());
        for (const auto& child : module.named_children())
            add(*child.value(), prefix + child.key() + ".");
    }

    MergedWeights take() { return std::move(m_found); }

private:
    void keep(const std::string& name, const torch::Tensor& tensor)
    {
        m_found.tensors.emplace(name, tensor.detach().contiguous());
    }

    MergedWeights m_found;
    std::set<const torch::nn::Module*> m_seen;
};

} // namespace

MergedWeights mergedWeights(const torch::nn::Module& module)
{
    const torch::NoGradGuard noGrad;
    Merging merging;
    merging.add(module, "");
    return merging.take();
}

bool hasUnmergeable(const torch::nn::Module& module)
{
    for (const auto& part : module.named_modules("", false))
        if (part.key().ends_with("pretrained_linear"))
            return true;
    return false;
}

} // namespace earwright::model
