#pragma once

#include "core/model/layer.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <map>
#include <memory>
#include <vector>

namespace earwright::model {

/// The layers of one recipe: every `!new:` node is built once, however many keys or containers
/// refer to it. The nodes must outlive the set.
class LayerSet final {
public:
    explicit LayerSet(std::vector<recipe::Diagnostic>& diagnostics)
        : m_diagnostics(diagnostics)
    {
    }

    /// The layer of a resolved `!new:` node, from the catalogue's typed config. Null with a
    /// diagnostic at the node where the class is not one that Earwright can build or its arguments
    /// do not fit.
    std::shared_ptr<Layer> get(const recipe::Node& node);
    /// The same, built anew by every call: a class that a container makes layers of.
    std::shared_ptr<Layer> build(const recipe::Node& node);

    std::vector<recipe::Diagnostic>& diagnostics() { return m_diagnostics; }

private:
    std::vector<recipe::Diagnostic>& m_diagnostics;
    std::map<const recipe::Node*, std::shared_ptr<Layer>> m_layers;
};

} // namespace earwright::model
