#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/check/rules/rules.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

bool isPlainList(const Node& node)
{
    return node.kind == recipe::Kind::Sequence && (node.tag.empty() || node.tag == "!tuple");
}

namespace {

/// A key that is read as text, and what it says.
struct TextKey {
    std::string_view key;
    const char* wanted;
    bool mayBeList = false;
};

constexpr const char* kFolder = "the path of a folder";
constexpr TextKey kTextKeys[] = {
    { "data_folder", kFolder },
    { "output_folder", kFolder },
    { "save_folder", kFolder },
    { "label_encoder_file", "the path of a file" },
    { "hotword", "a .txt file, words or a list of phrases", true },
};

bool isText(const Node& node)
{
    return settings::isOpen(node)
        || (node.kind == recipe::Kind::Scalar && node.tag.empty() && !recipe::isNull(node));
}

/// The value, or an item, that would count as not given though it is; null where all is well.
NodePtr noText(const NodePtr& node, bool mayBeList)
{
    if (!node || recipe::isNull(*node) || isText(*node))
        return nullptr;
    if (!mayBeList || !isPlainList(*node))
        return node;
    const auto wrong = std::find_if(
        node->items.begin(), node->items.end(), [](const NodePtr& item) { return !isText(*item); });
    return wrong == node->items.end() ? nullptr : *wrong;
}

void checkText(const Context& context, const TextKey& text, Diagnostics& found)
{
    const NodePtr wrong = noText(recipe::find(context.root, text.key), text.mayBeList);
    if (wrong)
        report(found, Severity::Error, "option-type",
            inQuotes(std::string(text.key)) + " must be " + text.wanted + ", not "
                + catalog::describe(*wrong),
            wrong->span);
}

void checkManifestKey(
    const Context& context, const std::string& key, bool isOfTest, Diagnostics& found)
{
    const NodePtr node = recipe::find(context.root, key);
    if (node && !isOfTest && isPlainList(*node))
        report(found, Severity::Error, "option-type",
            inQuotes(key) + " must be one manifest: name one of them, or join them into one",
            node->span);
    else if (isOfTest)
        checkText(context, { key, "a manifest or a list of them", true }, found);
    else
        checkText(context, { key, "the path of a manifest" }, found);
}

} // namespace

void textKeys(const Context& context, Diagnostics& found)
{
    for (const TextKey& text : kTextKeys)
        checkText(context, text, found);
    for (const std::string split : { "train", "valid", "test" })
        for (const std::string& key : settings::manifestKeys(split))
            checkManifestKey(context, key, split == "test", found);
}

} // namespace earwright::check::rules
