#pragma once

#include "core/catalog/catalog.h"

#include <string>
#include <vector>

namespace earwright::tests {

/// Every optimizer that a recipe may name, and what switches other kernels on.
inline std::vector<std::string> offeredOptimizers()
{
    std::vector<std::string> all;
    for (const std::string& name : catalog::trainableClassNames()) {
        if (catalog::findClass(name)->role == catalog::Role::Optimizer)
            all.push_back(name + " {lr: 0.01}");
    }
    all.emplace_back("torch.optim.Adam {lr: 0.01, amsgrad: True, weight_decay: 0.1}");
    all.emplace_back("torch.optim.SGD {lr: 0.01, momentum: 0.9, nesterov: True}");
    all.emplace_back("torch.optim.SGD {lr: 0.01, momentum: 0.9, dampening: 0.5}");
    return all;
}

} // namespace earwright::tests
