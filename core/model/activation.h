#pragma once

#include "core/model/layer.h"
#include "core/recipe/node.h"

#include <functional>

namespace earwright::model {

/// An elementwise function as a layer; no parameters.
class Activation final : public Layer {
public:
    using Function = std::function<torch::Tensor(const torch::Tensor&)>;

    explicit Activation(Function function)
        : m_function(std::move(function))
    {
    }

    torch::Tensor forward(torch::Tensor input, torch::Tensor = {}) override
    {
        return m_function(input);
    }

private:
    Function m_function;
};

/// A new activation of the class that a `!name:` or `!new:` argument names, of class `fallback`
/// where it is null. Throws c10::Error naming the class where it is none of Earwright's activations
/// or its arguments do not fit.
std::shared_ptr<Layer> makeActivation(const recipe::NodePtr& node, std::string_view fallback);

} // namespace earwright::model
