#include "core/model/layer_table.h"

#include "core/base/keys.h"
#include "core/catalog/catalog.h"
#include "core/model/adapters/register.h"
#include "core/model/language/register.h"
#include "core/model/paraformer/register.h"
#include "core/model/pretrained/register.h"
#include "core/model/register.h"
#include "core/model/transformer/register.h"
#include "core/model/whisper/register.h"

namespace earwright::model {

const LayerTable::Build* LayerTable::find(std::string_view className) const
{
    const auto row = m_rows.find(className);
    return row == m_rows.end() ? nullptr : &row->second;
}

std::vector<std::string> LayerTable::classes() const
{
    return keysOf(m_rows);
}

LayerTable& registeredLayers()
{
    static LayerTable table;
    return table;
}

const LayerTable& layerTable()
{
    static const LayerTable table = [] {
        LayerTable rows;
        addActivations(rows);
        addBasicLayers(rows);
        addRecurrentLayers(rows);
        addFeatureLayers(rows);
        addModels(rows);
        addTransformerLayers(rows);
        addLanguageModels(rows);
        addParaformerLayers(rows);
        addPretrainedEncoders(rows);
        addWhisper(rows);
        addAdaptedModels(rows);
        rows.addAll(registeredLayers());
        return rows;
    }();
    return table;
}

std::string canonicalClass(std::string_view className)
{
    const catalog::ClassInfo* known = catalog::findClass(className);
    return known == nullptr ? std::string(className) : known->name;
}

std::string classOf(const recipe::NodePtr& node, std::string_view fallback)
{
    if (node == nullptr)
        return canonicalClass(fallback);
    const std::string_view named = recipe::nameClass(*node);
    return canonicalClass(named.empty() ? recipe::newClass(*node) : named);
}

} // namespace earwright::model
