#pragma once

#include "core/catalog/read.h"
#include "core/model/layer_set.h"

#include <functional>
#include <map>
#include <string>

namespace earwright::model {

/// Class name -> how Earwright builds it. A folder adds its rows in one function, called by
/// layerTable():
///
///     void addTransformerLayers(LayerTable& table)
///     {
///         table.add<TransformerAsr,
///         catalog::TransformerAsrConfig>("speechbrain.lobes.models.….TransformerASR");
///     }
///
/// The name is the catalogue's (catalog::findClass(x)->name); aliases need no row of their own.
class LayerTable final {
public:
    using Build = std::function<std::shared_ptr<Layer>(const recipe::Node&, LayerSet&)>;

    void add(std::string className, Build build)
    {
        m_rows[std::move(className)] = std::move(build);
    }

    /// A layer constructed from its config alone, LayerType(const Config&), or, where it holds
    /// other objects of the recipe, from LayerType(const Config&, LayerSet&). The constructor
    /// refuses arguments that do not fit by TORCH_CHECK; the message becomes a diagnostic at the
    /// node.
    template <class LayerType, class Config>
    void add(std::string className)
    {
        add(std::move(className), [](const recipe::Node& node, LayerSet& layers) {
            const auto config = catalog::readConfig<Config>(node, layers.diagnostics());
            if constexpr (std::is_constructible_v<LayerType, const Config&, LayerSet&>)
                return std::shared_ptr<Layer>(std::make_shared<LayerType>(config, layers));
            else
                return std::shared_ptr<Layer>(std::make_shared<LayerType>(config));
        });
    }

    void addAll(const LayerTable& other)
    {
        m_rows.insert(other.m_rows.begin(), other.m_rows.end());
    }

    /// Null where the class is not in the table.
    const Build* find(std::string_view className) const;
    std::vector<std::string> classes() const;

private:
    std::map<std::string, Build, std::less<>> m_rows;
};

/// Those of registerLayer().
LayerTable& registeredLayers();

/// All layers Earwright can build. Built once; safe from any thread.
const LayerTable& layerTable();

/// The catalogue's name of a class: aliases become the name they stand for, unknown names stay.
std::string canonicalClass(std::string_view className);
/// The canonical class of a `!new:` or `!name:` node; `fallback` where the node is null.
std::string classOf(const recipe::NodePtr& node, std::string_view fallback);

/// What a recipe gives a class that another layer makes: `rnn_class: !name:…LiGRU {bias: False}`.
/// What that layer gives comes before it, as in a call of Python's functools.partial. Throws
/// c10::Error where the arguments do not fit.
template <class Config>
Config ownArguments(const recipe::NodePtr& node)
{
    if (node == nullptr)
        return {};
    TORCH_CHECK(node->items.empty(), "the arguments of '", classOf(node, ""),
        "' are given by name, where another layer gives it some");
    std::vector<recipe::Diagnostic> diagnostics;
    Config config = catalog::readConfig<Config>(*node, diagnostics);
    TORCH_CHECK(!recipe::hasErrors(diagnostics), diagnostics.front().message);
    return config;
}

} // namespace earwright::model
