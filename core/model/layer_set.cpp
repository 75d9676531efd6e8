#include "core/model/layer_set.h"

#include "core/catalog/catalog.h"
#include "core/model/layer_table.h"

namespace earwright::model {

namespace {

void report(LayerSet& layers, const recipe::Node& node, const char* rule, std::string message)
{
    layers.diagnostics().push_back(
        { recipe::Severity::Error, rule, std::move(message), node.span, std::nullopt });
}

std::string_view builtClass(const recipe::Node& node)
{
    const std::string_view created = recipe::newClass(node);
    return created.empty() ? recipe::nameClass(node) : created;
}

} // namespace

std::shared_ptr<Layer> LayerSet::get(const recipe::Node& node)
{
    const auto known = m_layers.find(&node);
    if (known != m_layers.end())
        return known->second;
    return m_layers[&node] = build(node);
}

std::shared_ptr<Layer> LayerSet::build(const recipe::Node& node)
{
    const std::string_view className = builtClass(node);
    const LayerTable::Build* row = layerTable().find(canonicalClass(className));
    if (row == nullptr) {
        report(*this, node, "class-not-trainable",
            className.empty() ? "a layer written as '!new:class' belongs here"
                              : "Earwright cannot build '" + std::string(className) + "'");
        return nullptr;
    }
    const size_t before = m_diagnostics.size();
    try {
        std::shared_ptr<Layer> layer = (*row)(node, *this);
        const std::vector<recipe::Diagnostic> added(
            m_diagnostics.begin() + static_cast<ptrdiff_t>(before), m_diagnostics.end());
        return recipe::hasErrors(added) ? nullptr : layer;
    } catch (const c10::Error& error) {
        // What a constructor refuses is the user's text, so it belongs to the node and not to the
        // rank's fence.
        report(*this, node, "argument-value", error.what_without_backtrace());
        return nullptr;
    }
}

} // namespace earwright::model
