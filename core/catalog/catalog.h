#pragma once

#include "core/catalog/field.h"
#include "core/recipe/diagnostic.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::catalog {

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

/// What Earwright knows of one class (or function) that a recipe may name.
struct ClassInfo {
    std::string name; ///< "speechbrain.nnet.linear.Linear"
    Role role = Role::Utility;
    bool ownsParameters = false; ///< has trainable parameters of its own
    bool trainable = true; ///< earwright can build it (false: known by name and signature only)
    bool acceptsAnyArgument = false; ///< names beside those of `fields` are taken too
    bool ignoresOthers = false; ///< takes **kwargs of which it reads none but `fields`
    std::vector<Field> fields; ///< in the order of positional arguments
    std::string help; ///< one line
    std::string source; ///< "SpeechBrain 1.1.2, speechbrain/nnet/linear.py", or the paper
    /// Reads the node's arguments only for what is wrong with them.
    std::function<void(const recipe::Node& node, std::vector<recipe::Diagnostic>& diagnostics)>
        checkArguments;
};

/// Aliases ("torch.nn.modules.activation.GELU", "speechbrain.nnet.RNN.LSTM") find the same entry.
/// Null where unknown.
const ClassInfo* findClass(std::string_view name);
/// Sorted, without aliases.
const std::vector<std::string>& classNames();
/// Names of those that Earwright can build, sorted.
std::vector<std::string> trainableClassNames();

} // namespace earwright::catalog
