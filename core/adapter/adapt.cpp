#include "core/adapter/adapt.h"

#include "core/adapter/interpolate.h"
#include "core/adapter/overrides.h"
#include "core/base/text.h"

#include <algorithm>
#include <iterator>

namespace earwright::adapter {

using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr std::string_view kConf = "_conf";

/// `encoder: none` and `encoder: null` ask for nothing.
bool isNone(const Node& name)
{
    return recipe::isNull(name) || toLower(name.text) == "none";
}

/// The pseudo class that reads a section of its own, "" for any other section.
std::string readerOf(Toolkit toolkit, const std::string& section)
{
    if (toolkit != Toolkit::FunAsr)
        return "";
    if (section == "train_conf")
        return "funasr.sections.Trainer";
    return section == "dataset_conf" ? "funasr.sections.DataLoader" : "";
}

NodePtr objectOf(const std::string& className, const Node* conf, const Node& place)
{
    const NodePtr object = std::make_shared<Node>(conf ? *conf : Node());
    object->kind = Kind::Mapping;
    object->tag = "!name:" + className;
    object->span = place.span;
    object->origin = place.origin;
    object->originText = place.originText;
    return object;
}

void reportUnknown(Toolkit toolkit, const std::string& section, const Node& name, Adapted& adapted)
{
    const std::vector<std::string> names = namesOf(toolkit, section);
    if (names.empty() || name.tag == "!PLACEHOLDER")
        return;
    // Of WeNet the common names only are known: another one is no mistake.
    const std::string nearest
        = toolkit == Toolkit::FunAsr ? nearestName(name.text, names) : std::string();
    recipe::Diagnostic diagnostic;
    diagnostic.severity = nearest.empty() ? recipe::Severity::Warning : recipe::Severity::Error;
    diagnostic.rule = "unknown-class";
    diagnostic.message = "no '" + section + "' of " + nameOf(toolkit) + " named "
        + inQuotes(name.text)
        + (nearest.empty() ? " is known; its arguments are not checked"
                           : " is known; did you mean " + inQuotes(nearest) + "?");
    diagnostic.span = name.span;
    if (!nearest.empty() && name.origin == recipe::Origin::Recipe)
        diagnostic.fix = recipe::Fix { "Change to " + nearest, { { name.span, nearest } } };
    adapted.diagnostics.push_back(std::move(diagnostic));
}

/// What stands for a section's name, the name itself where no object can be made of it.
NodePtr adaptSection(
    const Node& root, Toolkit toolkit, const recipe::Entry& entry, Adapted& adapted)
{
    const std::string& section = entry.key->text;
    const NodePtr conf = recipe::find(root, section + std::string(kConf));
    if (entry.value->kind != Kind::Scalar || isNone(*entry.value)
        || (conf && conf->kind != Kind::Mapping && !recipe::isNull(*conf)))
        return entry.value;
    const std::string className = classOf(toolkit, section, entry.value->text);
    if (!className.empty())
        return objectOf(
            className, conf && conf->kind == Kind::Mapping ? conf.get() : nullptr, *entry.value);
    if (conf)
        reportUnknown(toolkit, section, *entry.value, adapted);
    return entry.value;
}

/// The model's own settings: WeNet has one model where no name says otherwise.
NodePtr adaptConf(const Node& root, Toolkit toolkit, const recipe::Entry& entry)
{
    std::string reader = readerOf(toolkit, entry.key->text);
    const bool isNamed = recipe::find(root, "model") || recipe::find(root, "predictor")
        || recipe::find(root, "paraformer") || recipe::find(root, "lfmmi_dir");
    if (toolkit == Toolkit::WeNet && entry.key->text == "model_conf" && !isNamed)
        reader = classOf(toolkit, "model", "asr_model");
    if (reader.empty() || entry.value->kind != Kind::Mapping)
        return entry.value;
    return objectOf(reader, entry.value.get(), *entry.value);
}

/// Whether an entry was taken into the object of its section.
bool isTaken(const Node& adapted, const std::string& key)
{
    if (!key.ends_with(kConf))
        return false;
    const NodePtr section = recipe::find(adapted, key.substr(0, key.size() - kConf.size()));
    return section && section->tag.starts_with("!name:");
}

} // namespace

Adapted adapt(const NodePtr& written, Toolkit toolkit)
{
    Adapted adapted;
    const NodePtr plain = interpolate(written, adapted.diagnostics);
    const NodePtr root = std::make_shared<Node>(*plain);
    for (recipe::Entry& entry : root->entries)
        entry.value = entry.key->text.ends_with(kConf)
            ? adaptConf(*plain, toolkit, entry)
            : adaptSection(*plain, toolkit, entry, adapted);
    std::vector<recipe::Entry> left;
    std::copy_if(root->entries.begin(), root->entries.end(), std::back_inserter(left),
        [&](const recipe::Entry& entry) { return !isTaken(*root, entry.key->text); });
    root->entries = std::move(left);
    refuseMisplaced(*root, toolkit, adapted.diagnostics);
    for (const recipe::Entry& entry : root->entries)
        refuseUnknown(entry, toolkit, adapted.diagnostics);
    adapted.root = root;
    return adapted;
}

} // namespace earwright::adapter
