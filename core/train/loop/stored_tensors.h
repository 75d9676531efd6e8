#pragma once

#include <map>
#include <string>
#include <torch/types.h>
#include <utility>
#include <vector>

namespace earwright::train {

using StoredTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// Those whose names begin so, by the rest of their names.
inline StoredTensors withPrefix(
    const std::map<std::string, torch::Tensor>& all, const std::string& prefix)
{
    StoredTensors found;
    for (const auto& [name, tensor] : all) {
        if (name.starts_with(prefix))
            found.emplace_back(name.substr(prefix.size()), tensor);
    }
    return found;
}

/// A copy, as a checkpoint holds it.
inline torch::Tensor onCpu(const torch::Tensor& tensor)
{
    return tensor.detach().to(torch::kCPU, tensor.scalar_type(), false, true).contiguous();
}

} // namespace earwright::train
