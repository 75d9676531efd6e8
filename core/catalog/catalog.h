#pragma once

#include "core/catalog/field.h"
#include "core/recipe/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace kymo::catalog {

enum class Role {
    Module,
    Features,
    Augmentation,
    Loss,
    Activation,
    Optimizer,
    Scheduler,
    Decoder,
    TextEncoder,
    Metric,
    Utility,
    Container
};

/// What Kymo knows of one class name that a recipe may use.
struct ClassInfo {
    std::string name; ///< "speechbrain.nnet.linear.Linear"
    Role role = Role::Utility;
    bool ownsParameters = false; ///< has trainable parameters of its own
    bool trainable = true; ///< kymo can build it (false: known by name and signature only)
    bool acceptsAnyArgument = false; ///< its signature is not known
    std::vector<Field> fields; ///< in the order of positional arguments
    /// Reads the node's arguments only for what is wrong with them; null where the signature is not
    /// known.
    void (*checkArguments)(const recipe::Node& node, std::vector<recipe::Diagnostic>& diagnostics)
        = nullptr;
};

/// Aliases ("torch.nn.modules.activation.GELU", "speechbrain.nnet.RNN.LSTM") find the same entry.
/// Null where unknown.
const ClassInfo* findClass(std::string_view name);
std::vector<std::string> classNames();

} // namespace kymo::catalog
