#include "core/tasks/sensevoice/sizes.h"

#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/sense_voice.h"
#include "core/catalog/given.h"
#include "core/recipe/value_at.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"
#include "core/settings/tree.h"
#include "core/tasks/paraformer/rules.h"

namespace earwright::tasks::sensevoice {

using settings::Diagnostics;

namespace {

/// A layer's whole numbers; none where it is not given or of another class.
class Numbers final {
public:
    Numbers(const recipe::Node& root, const char* key, std::string_view className)
        : m_key(key)
        , m_node(settings::adaptedObject(settings::findLayer(root, key)))
    {
        const catalog::ClassInfo* info
            = m_node ? catalog::findClass(catalog::classOf(*m_node)) : nullptr;
        if (!info || info->name != className)
            m_node = nullptr;
    }

    const recipe::NodePtr& node() const { return m_node; }
    const char* key() const { return m_key; }
    /// 0 where it is not known.
    int64_t at(const char* argument) const
    {
        return m_node ? catalog::Given(*m_node).integer(argument) : 0;
    }

private:
    const char* m_key;
    recipe::NodePtr m_node;
};

Numbers ctcNumbers(const recipe::Node& root)
{
    return { root, "ctc", "funasr.models.ctc.ctc.CTC" };
}

std::string numberOf(const char* argument, const char* key, int64_t number)
{
    return inQuotes(argument) + " of " + inQuotes(key) + " is " + std::to_string(number);
}

/// Says nothing where one of the two is not known.
void expect(const Numbers& layer, const char* argument, int64_t fitting, const std::string& others,
    std::vector<paraformer::SizeMisfit>& misfits)
{
    const int64_t size = layer.at(argument);
    if (size > 0 && fitting > 0 && size != fitting)
        misfits.push_back({ layer.node(), argument,
            numberOf(argument, layer.key(), size) + ", but " + others, fitting });
}

} // namespace

void sizes(const Checked& recipe, Diagnostics& found)
{
    const Numbers encoder(
        recipe.root, "encoder", "funasr.models.sense_voice.model.SenseVoiceEncoderSmall");
    const Numbers table(recipe.root, "embed", "torch.nn.Embedding");
    const int64_t width = encoder.at("output_size");
    const int64_t features = encoder.at("input_size");
    std::vector<paraformer::SizeMisfit> misfits;
    expect(ctcNumbers(recipe.root), "encoder_output_size", width,
        "'encoder' gives " + std::to_string(width) + " features (output_size)", misfits);
    expect(table, "embedding_dim", features,
        "'encoder' takes " + std::to_string(features) + " features (input_size)", misfits);
    expect(table, "num_embeddings", catalog::kRichQueries,
        "the queries are " + std::to_string(catalog::kRichQueries)
            + ": 7, 7 languages and 2 styles",
        misfits);
    paraformer::tellMisfits(recipe, misfits, found);
}

void blank(const Checked& recipe, Diagnostics& found)
{
    const recipe::Entry* entry = settings::findEntry(recipe.root, "blank_id");
    const auto token = entry ? recipe::asInt(*entry->value) : std::nullopt;
    const int64_t outputs = ctcNumbers(recipe.root).at("odim");
    if (token && outputs > 0 && *token >= outputs)
        settings::report(found, recipe::Severity::Error, "argument-range",
            "blank_id " + entry->value->text + " is none of the " + std::to_string(outputs)
                + " outputs of 'ctc'",
            entry->value->span);
}

} // namespace earwright::tasks::sensevoice
