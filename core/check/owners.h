#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::check {

/// A key of the recipe and the objects with trainable parameters that it holds.
struct OwnerRow {
    std::string key; ///< as a reference names it: "enc", "models[generator]"
    recipe::Span place; ///< of the key
    recipe::NodePtr value;
    std::vector<recipe::NodePtr> owners; ///< outermost first
};

/// torch's or SpeechBrain's.
bool isModuleList(const recipe::Node& node);
/// An object of the class, whatever key holds it: "Pretrainer".
bool isOfClass(const recipe::Node& node, const char* shortName);

/// In the recipe's order; two keys of one object are one row. `used`: objects that `modules`, a
/// ModuleList or the checkpointer name: of a wrapper (EncoderWrapper) and what it wraps the row is
/// the one they name, since to cover the wrapper is to cover what it wraps.
std::vector<OwnerRow> ownerRows(const recipe::Node& root, const std::vector<recipe::NodePtr>& used);

} // namespace earwright::check
