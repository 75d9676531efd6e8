#include "core/train/module_set.h"

#include "core/model/layer_set.h"
#include "core/settings/layer_keys.h"

#include <set>

namespace earwright::train {

namespace {

template <class List>
void appendOnce(std::vector<std::pair<std::string, torch::Tensor>>& all, const std::string& prefix,
    const List& items)
{
    std::set<const void*> seen;
    for (const auto& [name, tensor] : all)
        seen.insert(tensor.unsafeGetTensorImpl());
    for (const auto& item : items) {
        if (seen.insert(item.value().unsafeGetTensorImpl()).second)
            all.emplace_back(prefix + "." + item.key(), item.value());
    }
}

/// The first error: those behind it only follow from it.
Error whyNot(const recipe::Node& node, const std::vector<recipe::Diagnostic>& diagnostics)
{
    for (const recipe::Diagnostic& diagnostic : diagnostics)
        if (diagnostic.severity == recipe::Severity::Error)
            return Error { atPlace(diagnostic.span) + diagnostic.message };
    return Error { atPlace(node.span) + "cannot build " + node.tag };
}

} // namespace

std::string atPlace(const recipe::Span& span)
{
    return span.file + ":" + std::to_string(span.begin.line) + ": ";
}

Result<ModuleSet> ModuleSet::build(
    const recipe::Node& recipe, const std::vector<std::string>& others)
{
    ModuleSet set;
    std::vector<recipe::Diagnostic> diagnostics;
    model::LayerSet layers(diagnostics);
    const recipe::NodePtr modules = recipe::find(recipe, "modules");
    if (!modules || modules->kind != recipe::Kind::Mapping)
        return Error { "the recipe has no mapping `modules`: list the trainable objects under it" };
    for (const recipe::Entry& entry : modules->entries) {
        if (recipe::isNull(*entry.value) || settings::isBesideLayers(*entry.value))
            continue;
        const auto layer = layers.get(*entry.value);
        if (!layer)
            return whyNot(*entry.value, diagnostics);
        set.m_modules.emplace_back(entry.key->text, layer);
    }
    for (const std::string& key : others) {
        const recipe::NodePtr node = recipe::find(recipe, key);
        if (!node || recipe::newClass(*node).empty())
            continue;
        const auto layer = layers.get(*node);
        if (!layer)
            return whyNot(*node, diagnostics);
        set.m_others[key] = layer;
    }
    return set;
}

std::shared_ptr<model::Layer> ModuleSet::find(const std::string& key) const
{
    for (const auto& [name, layer] : m_modules) {
        if (name == key)
            return layer;
    }
    const auto other = m_others.find(key);
    return other == m_others.end() ? nullptr : other->second;
}

std::vector<std::shared_ptr<model::Layer>> ModuleSet::layers() const
{
    std::vector<std::shared_ptr<model::Layer>> all;
    for (const auto& [key, layer] : m_modules)
        all.push_back(layer);
    for (const auto& [key, layer] : m_others)
        all.push_back(layer);
    return all;
}

void ModuleSet::to(c10::Device device)
{
    for (const auto& [key, layer] : m_modules)
        layer->to(device);
    for (const auto& [key, layer] : m_others) {
        if (layer->parameters().empty())
            layer->to(device);
    }
}

void ModuleSet::train(bool on)
{
    for (const auto& layer : layers())
        layer->train(on);
}

std::vector<std::pair<std::string, torch::Tensor>> ModuleSet::parameters() const
{
    auto all = weights();
    std::erase_if(all, [](const auto& item) { return !item.second.requires_grad(); });
    return all;
}

std::vector<std::pair<std::string, torch::Tensor>> ModuleSet::weights() const
{
    std::vector<std::pair<std::string, torch::Tensor>> all;
    for (const auto& [key, layer] : m_modules)
        appendOnce(all, key, layer->named_parameters());
    return all;
}

std::vector<std::pair<std::string, torch::Tensor>> ModuleSet::buffers() const
{
    std::vector<std::pair<std::string, torch::Tensor>> all;
    for (const auto& [key, layer] : m_modules)
        appendOnce(all, key, layer->named_buffers());
    return all;
}

} // namespace earwright::train
