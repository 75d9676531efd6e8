#include "core/catalog/read_impl.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"

#include <algorithm>
#include <cmath>

namespace earwright::catalog {

using recipe::Diagnostic;
using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;

namespace {

std::string rangeText(const FieldFacts& facts)
{
    if (std::isinf(facts.max))
        return "at least " + formatNumber(facts.min);
    if (std::isinf(facts.min))
        return "at most " + formatNumber(facts.max);
    return "between " + formatNumber(facts.min) + " and " + formatNumber(facts.max);
}

/// The names to tell of: all of a short list, of a long one those that share a word with the key
/// ("cnn_module_kernel" with "cnn_kernel"), or the first.
std::string listedFor(const std::string& key, const std::vector<std::string>& names)
{
    constexpr size_t kMost = 12;
    if (names.size() <= kMost)
        return names.empty() ? "none" : join(names, ", ");
    const std::vector<std::string> words = split(key, '_');
    std::vector<std::string> akin;
    for (const std::string& name : names)
        for (const std::string& part : split(name, '_'))
            if (akin.size() < kMost && std::find(words.begin(), words.end(), part) != words.end()
                && (akin.empty() || akin.back() != name))
                akin.push_back(name);
    if (akin.empty())
        akin.assign(names.begin(), names.begin() + kMost);
    return join(akin, ", ") + " and " + std::to_string(names.size() - akin.size()) + " more";
}

/// `fits`: asked of each item with its number, until one does not.
template <class Number, class Fits>
bool allFit(const Node& list, const std::vector<Number>& numbers, Fits fits)
{
    const std::vector<NodePtr> items = listItems(list);
    for (size_t i = 0; i < items.size(); ++i)
        if (!fits(*items[i], static_cast<double>(numbers[i])))
            return false;
    return true;
}

/// For an object without any arguments: behind its tag.
std::optional<recipe::Fix> onlyArgument(const Node& object, const Misfit& misfit)
{
    if (object.kind != Kind::Scalar || object.origin != recipe::Origin::Recipe
        || object.span.begin.line == 0 || misfit.instead.empty())
        return {};
    const std::string argument = misfit.argument + ": " + misfit.instead;
    const recipe::Span behind { object.span.file, object.span.end, object.span.end };
    return recipe::Fix { "Add " + argument, { { behind, " {" + argument + "}" } } };
}

} // namespace

Arguments::Arguments(const Node& node, std::vector<Diagnostic>& diagnostics)
    : m_node(node)
    , m_diagnostics(diagnostics)
    , m_className(lastPart(classOf(node)))
{
}

NodePtr Arguments::given(std::string_view name) const
{
    if (m_node.kind == Kind::Mapping)
        return recipe::find(m_node, name);
    const size_t position = m_names.size();
    const bool isGiven = m_node.kind == Kind::Sequence && position < m_node.items.size();
    return isGiven ? m_node.items[position] : nullptr;
}

NodePtr Arguments::take(const char* name, const FieldFacts& facts)
{
    const NodePtr value = given(name);
    m_names.emplace_back(name);
    // `!name:` may leave arguments to its caller.
    if (!value && facts.required && recipe::nameClass(m_node).empty())
        report("missing-argument", m_className + " needs the argument '" + name + "'", m_node.span);
    if (!value)
        return nullptr;
    m_places.emplace(name, value->span);
    m_areRead = m_areRead && !isUndetermined(*value);
    return isUndetermined(*value) ? nullptr : value;
}

void Arguments::finish(bool acceptsAny)
{
    if (acceptsAny)
        return;
    if (m_node.kind == Kind::Sequence && m_node.items.size() > m_names.size())
        report("unknown-argument",
            m_className + " takes at most " + std::to_string(m_names.size()) + " arguments, not "
                + std::to_string(m_node.items.size()),
            m_node.items[m_names.size()]->span);
    for (const recipe::Entry& entry : m_node.entries) {
        const std::string key = recipe::asString(*entry.key);
        if (std::find(m_names.begin(), m_names.end(), key) != m_names.end())
            continue;
        const std::string nearest = nearestName(key, m_names);
        report("unknown-argument",
            m_className + " has no argument '" + key + "'"
                + (nearest.empty() ? "; it takes " + listedFor(key, m_names)
                                   : "; did you mean '" + nearest + "'?"),
            entry.key->span);
        if (!nearest.empty())
            m_diagnostics.back().fix = replaceWith(*entry.key, nearest);
    }
}

void Arguments::compareBounds(const std::vector<Number>& numbers)
{
    for (const Number& low : numbers) {
        const auto high = std::find_if(numbers.begin(), numbers.end(),
            [&](const Number& other) { return std::string_view(other.name) == low.atMost; });
        if (high == numbers.end() || low.value <= high->value)
            continue;
        // Where the reader's eye is: at the one that was given.
        const bool isAtHigh = !m_places.contains(low.name) && m_places.contains(high->name);
        if (isAtHigh)
            report({ high->name,
                "at least '" + std::string(low.name) + "' " + low.text + ", not " + high->text });
        else
            report({ low.name,
                "at most '" + std::string(high->name) + "' " + high->text + ", not " + low.text });
    }
}

void Arguments::report(const Misfit& misfit)
{
    const auto place = m_places.find(misfit.argument);
    report("argument-range", mustBe(misfit.argument) + misfit.must,
        place == m_places.end() ? m_node.span : place->second);
    const NodePtr value = recipe::find(m_node, misfit.argument);
    if (value && !misfit.instead.empty())
        m_diagnostics.back().fix = replaceWith(*value, misfit.instead);
    else
        m_diagnostics.back().fix = onlyArgument(m_node, misfit);
}

void Arguments::report(const char* rule, std::string message, const recipe::Span& place)
{
    m_diagnostics.push_back(
        { recipe::Severity::Error, rule, std::move(message), place, std::nullopt });
}

/// "'dropout' of CRDNN must be "
std::string Arguments::mustBe(std::string_view name) const
{
    std::string text = "'";
    text += name;
    text += (m_className.empty() ? "'" : "' of " + m_className) + " must be ";
    return text;
}

void Arguments::wrongType(const Given& given, const char* expected)
{
    report("argument-type", mustBe(given.name) + expected + ", not " + describe(given.value),
        given.value.span);
}

void Arguments::fixed(const Given& given, const std::string& usual)
{
    const std::string why = given.facts.help;
    const std::string wanted = usual.empty() ? "null" : usual;
    report("argument-range",
        mustBe(given.name) + wanted + ", not " + describe(given.value) + ": Earwright has no other"
            + (why.empty() ? "" : " (" + why + ")"),
        given.value.span);
    m_diagnostics.back().fix = replaceWith(given.value, wanted);
}

bool Arguments::inRange(const Given& given, double value)
{
    if (value >= given.facts.min && value <= given.facts.max)
        return true;
    report("argument-range",
        mustBe(given.name) + rangeText(given.facts) + ", not " + describe(given.value),
        given.value.span);
    return false;
}

bool Arguments::setInt(const Given& given, int64_t& member)
{
    const auto value = isValue(given.value) ? recipe::asInt(given.value) : std::nullopt;
    if (!value)
        wrongType(given, "a whole number");
    if (!value || !inRange(given, static_cast<double>(*value)))
        return false;
    member = *value;
    return true;
}

bool Arguments::setFloat(const Given& given, double& member)
{
    const auto value = isValue(given.value) ? recipe::asDouble(given.value) : std::nullopt;
    if (!value)
        wrongType(given, "a number");
    if (!value || !inRange(given, *value))
        return false;
    member = *value;
    return true;
}

bool Arguments::setBool(const Given& given, bool& member)
{
    const auto value = isValue(given.value) ? recipe::asBool(given.value) : std::nullopt;
    if (value) {
        member = *value;
        return true;
    }
    wrongType(given, "True or False");
    const std::string word = toLower(given.value.text);
    if (word == "yes" || word == "on" || word == "1")
        m_diagnostics.back().fix = replaceWith(given.value, "True");
    if (word == "no" || word == "off" || word == "0")
        m_diagnostics.back().fix = replaceWith(given.value, "False");
    return false;
}

bool Arguments::setString(const Given& given, std::string& member)
{
    if (!isValue(given.value) || recipe::isNull(given.value)) {
        wrongType(given, "a string");
        return false;
    }
    const std::string& text = given.value.text;
    const std::vector<std::string>& choices = given.facts.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
        report("argument-range",
            mustBe(given.name) + "one of " + join(choices, ", ") + ", not " + describe(given.value),
            given.value.span);
        if (const std::string nearest = nearestName(text, choices); !nearest.empty())
            m_diagnostics.back().fix = replaceWith(given.value, nearest);
        return false;
    }
    member = text;
    return true;
}

template <class Element, class Convert>
bool Arguments::setList(
    const Given& given, const char* expected, std::vector<Element>& member, Convert convert)
{
    std::vector<Element> elements;
    if (!isValue(given.value) && given.value.kind != Kind::Sequence) {
        wrongType(given, expected);
        return false;
    }
    for (const NodePtr& item : listItems(given.value)) {
        const std::optional<Element> element
            = isValue(*item) && !isUndetermined(*item) ? convert(*item) : std::nullopt;
        if (!element) {
            if (!isUndetermined(*item))
                wrongType({ given.name, *item, given.facts }, expected);
            return false;
        }
        elements.push_back(*element);
    }
    member = std::move(elements);
    return true;
}

bool Arguments::setInts(const Given& given, std::vector<int64_t>& member)
{
    return setList(given, "a list of whole numbers", member, recipe::asInt)
        && allFit(given.value, member, [&](const Node& item, double value) {
               return inRange({ given.name, item, given.facts }, value);
           });
}

bool Arguments::setFloats(const Given& given, std::vector<double>& member)
{
    return setList(given, "a list of numbers", member, recipe::asDouble)
        && allFit(given.value, member, [&](const Node& item, double value) {
               return inRange({ given.name, item, given.facts }, value);
           });
}

bool Arguments::setBools(const Given& given, std::vector<bool>& member)
{
    return setList(given, "a list of True and False", member, recipe::asBool);
}

bool Arguments::setShape(const Given& given, Shape& member)
{
    const auto size = [](const Node& item) -> std::optional<std::optional<int64_t>> {
        if (recipe::isNull(item))
            return std::optional<int64_t>();
        const auto value = recipe::asInt(item);
        return value ? std::optional(value) : std::nullopt;
    };
    return setList(given, "a list of whole numbers or null", member, size);
}

} // namespace earwright::catalog
