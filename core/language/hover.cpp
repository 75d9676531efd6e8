#include "core/language/hover.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/check/known_keys.h"
#include "core/language/field_text.h"
#include "core/language/mention.h"
#include "core/recipe/python_text.h"
#include "core/settings/provenance.h"
#include "core/tasks/run_option_fields.h"

namespace earwright::language {

using catalog::Field;
using recipe::Node;
using recipe::Position;
using recipe::Span;

namespace {

constexpr size_t kMaxValue = 80;

std::string valueText(const Node& node)
{
    if (!catalog::classOf(node).empty() || node.tag == "!PLACEHOLDER")
        return node.tag;
    return shortened(recipe::pythonText(node), kMaxValue);
}

/// "float, Hz, 0 to 1, default 0.01, one of a, b" and the help.
std::string helpOf(const Field& field)
{
    std::vector<std::string> parts;
    if (*field.facts.unit)
        parts.push_back(std::string("in ") + field.facts.unit);
    if (const std::string range = rangeText(field.facts); !range.empty())
        parts.push_back(range);
    if (field.facts.required)
        parts.emplace_back("required");
    else if (!field.defaultText.empty())
        parts.push_back("default " + field.defaultText);
    if (!field.facts.choices.empty())
        parts.push_back("one of " + join(field.facts.choices, ", "));
    const std::string facts = join(parts, ", ");
    const std::string help = field.facts.help;
    return facts.empty() || help.empty() ? facts + help : facts + "; " + help;
}

std::string helpOf(const catalog::ClassInfo& info)
{
    std::vector<std::string> parts;
    for (const Field& field : info.fields)
        parts.push_back(field.name + ": " + summary(field));
    std::string text = join(parts, "\n");
    if (info.acceptsAnyArgument && parts.empty())
        text = "its arguments are not known";
    if (info.ownsParameters)
        text += (text.empty() ? "" : "\n") + std::string("has parameters to train");
    return text;
}

/// What is known of a key by its name and by what holds it.
const Field* fieldOf(const WrittenKey& key)
{
    if (const auto name = catalog::classOf(*key.mapping); !name.empty())
        return findArgument(name, key.entry->key->text);
    const bool isOption = key.level == 0 || key.path.starts_with("train_conf.");
    return isOption ? tasks::findRunOption(key.entry->key->text) : nullptr;
}

void describe(Hover& hover, const std::string& name, const Field* field, const Node* value)
{
    hover.title = field ? name + ": " + typeName(field->type) : name;
    if (field)
        hover.help = helpOf(*field);
    if (!value)
        return;
    hover.value = valueText(*value);
    hover.source = settings::provenanceOf("", "", value, "").place;
}

/// The class of a tag at the place: "!new:X" of a value or of the mapping below a key.
std::optional<Hover> classHover(const Document& document, const Trail& trail, Position at)
{
    const Node* const node = trail.isOnKey || trail.keys.empty() ? nullptr
        : trail.leaf                                             ? trail.leaf
                     : trail.keys.back().entry->value.get();
    const auto name = node ? catalog::classOf(*node) : std::string_view {};
    if (name.empty())
        return std::nullopt;
    const recipe::SourceText source(document.treeText);
    const size_t tag = source.text().find(node->tag, source.offset(node->span.begin));
    if (tag == std::string_view::npos)
        return std::nullopt;
    const Span span = source.span(
        node->span.file, tag + node->tag.size() - name.size(), tag + node->tag.size());
    if (at.line != span.begin.line || at > span.end)
        return std::nullopt;
    const catalog::ClassInfo* const info = catalog::findClass(name);
    Hover hover { span, std::string(info ? std::string_view(info->name) : name), "", "", "" };
    hover.help = info ? helpOf(*info) : "a class that Earwright does not know";
    return hover;
}

void addKnown(Hover& hover, const WrittenKey& key)
{
    const settings::KnownKey* const known
        = key.level == 0 ? check::findKnownKey(key.entry->key->text) : nullptr;
    if (hover.help.empty() && known && *known->detail)
        hover.help = std::string(known->detail) + ": " + known->help;
}

Hover mentionHover(const Document& document, const Mention& mention, const Trail& trail)
{
    Hover hover { mention.span, mention.name, "", "", "" };
    const auto written = keyAt(document, mention.target.path);
    const Field* const field = written ? fieldOf(*written) : nullptr;
    const Node* const value = mention.target.resolved;
    describe(hover, mention.target.path.empty() ? mention.name : mention.target.path, field, value);
    if (mention.kind == MentionKind::Key && !trail.keys.empty())
        describe(hover, mention.name, fieldOf(trail.keys.back()), value);
    if (written)
        addKnown(hover, *written);
    return hover;
}

Hover valueHover(const Trail& trail)
{
    const WrittenKey& key = trail.keys.back();
    Hover hover { trail.leaf ? trail.leaf->span : key.entry->key->span, "", "", "", "" };
    describe(hover, key.entry->key->text, fieldOf(key), key.resolved);
    addKnown(hover, key);
    return hover;
}

} // namespace

std::optional<Hover> hover(const Document& document, Position at)
{
    const auto place = toTree(document, at);
    if (!place)
        return std::nullopt;
    const Trail trail = trailAt(document, *place);
    std::optional<Hover> found;
    const auto mention = mentionAt(document, *place);
    if (mention && mention->target.entry)
        found = mentionHover(document, *mention, trail);
    else if (auto onClass = classHover(document, trail, *place))
        found = std::move(onClass);
    else if (trail.leaf && !trail.keys.empty() && trail.leaf->kind == recipe::Kind::Scalar)
        found = valueHover(trail);
    if (!found)
        return std::nullopt;
    const auto span = fromTree(document, found->span);
    if (!span)
        return std::nullopt;
    found->span = *span;
    return found;
}

std::string toMarkdown(const Hover& hover)
{
    std::string text = "**" + hover.title + "**";
    if (!hover.value.empty())
        text += " = `" + hover.value + "`";
    if (!hover.source.empty())
        text += "  \n*" + hover.source + "*";
    if (hover.help.empty())
        return text;
    text += "\n\n";
    for (const char c : hover.help)
        text += c == '\n' ? "  \n" : std::string(1, c);
    return text;
}

} // namespace earwright::language
