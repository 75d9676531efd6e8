#pragma once

// The typed half of read.h: overloads by member type live in Arguments, the templates only visit.
// classes/*.cpp compile it for the configs of the catalogue; another config is compiled where this
// is included.

#include "core/catalog/read.h"

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace earwright::catalog {

/// Default of a member as a recipe would write it: "True", "0.1", "[64, 64]", "null".
std::string defaultText(int64_t value);
std::string defaultText(double value);
std::string defaultText(bool value);
std::string defaultText(const std::string& value);
std::string defaultText(const std::vector<int64_t>& value);
std::string defaultText(const std::vector<double>& value);
std::string defaultText(const std::vector<bool>& value);
std::string defaultText(const Shape& value);
std::string defaultText(const recipe::NodePtr& value);
template <class Value>
std::string defaultText(const std::optional<Value>& value)
{
    return value ? defaultText(*value) : "null";
}

/// The arguments of one `!new:`/`!name:`/`!apply:` node while a config reads them, in the order of
/// the signature.
class Arguments final {
public:
    Arguments(const recipe::Node& node, std::vector<recipe::Diagnostic>& diagnostics);

    template <class Member>
    void read(const char* name, Member& member, const FieldFacts& facts)
    {
        const recipe::NodePtr value = take(name, facts);
        if (!value)
            return;
        const Member usual = member;
        m_areRead = assign({ name, *value, facts }, value, member) && m_areRead;
        if (facts.isFixed && member != usual) {
            fixed({ name, *value, facts }, defaultText(usual));
            member = usual;
        }
    }

    /// Counts an argument as read without looking at its value.
    void skip(const char* name, const FieldFacts& facts) { take(name, facts); }

    /// What is given for the argument that is read next, null where nothing is.
    recipe::NodePtr given(std::string_view name) const;

    /// Reports arguments that do not go with each other, where all that were given could be read:
    /// a default in the place of one says nothing.
    template <class Config>
    void compare(Config& config);

    /// Reports what was given and never read.
    void finish(bool acceptsAnyArgument);

private:
    struct Given {
        const char* name;
        const recipe::Node& value;
        const FieldFacts& facts;
    };

    /// A number as compare() sees it.
    struct Number {
        const char* name;
        const char* atMost;
        double value;
        std::string text;
    };
    // clang-format off
    static std::optional<double> numberOf(int64_t value) { return static_cast<double>(value); }
    static std::optional<double> numberOf(double value) { return value; }
    static std::optional<double> numberOf(const std::optional<int64_t>& value) { return value ? numberOf(*value) : std::nullopt; }
    static std::optional<double> numberOf(const std::optional<double>& value) { return value; }
    template <class Other> static std::optional<double> numberOf(const Other&) { return {}; }
    // clang-format on
    void compareBounds(const std::vector<Number>& numbers);
    void report(const Misfit& misfit);

    recipe::NodePtr take(const char* name, const FieldFacts& facts);
    bool setInt(const Given& given, int64_t& member);
    bool setFloat(const Given& given, double& member);
    bool setBool(const Given& given, bool& member);
    bool setString(const Given& given, std::string& member);
    bool setInts(const Given& given, std::vector<int64_t>& member);
    bool setFloats(const Given& given, std::vector<double>& member);
    bool setBools(const Given& given, std::vector<bool>& member);
    bool setShape(const Given& given, Shape& member);

    // clang-format off
    bool assign(const Given& g, const recipe::NodePtr&, int64_t& m) { return setInt(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, double& m) { return setFloat(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, bool& m) { return setBool(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, std::string& m) { return setString(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, std::vector<int64_t>& m) { return setInts(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, std::vector<double>& m) { return setFloats(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, std::vector<bool>& m) { return setBools(g, m); }
    bool assign(const Given& g, const recipe::NodePtr&, Shape& m) { return setShape(g, m); }
    bool assign(const Given&, const recipe::NodePtr& value, recipe::NodePtr& m) { m = value; return true; }
    // clang-format on
    template <class Value>
    bool assign(const Given& given, const recipe::NodePtr& node, std::optional<Value>& member)
    {
        if (recipe::isNull(*node)) {
            member.reset();
            return true;
        }
        Value value {};
        const bool wasRead = assign(given, node, value);
        if (wasRead)
            member = std::move(value);
        return wasRead;
    }

    template <class Element, class Convert>
    bool setList(
        const Given& given, const char* expected, std::vector<Element>& member, Convert convert);
    bool inRange(const Given& given, double value);
    std::string mustBe(std::string_view name) const;
    void wrongType(const Given& given, const char* expected);
    void fixed(const Given& given, const std::string& usual);
    void report(const char* rule, std::string message, const recipe::Span& place);

    const recipe::Node& m_node;
    std::vector<recipe::Diagnostic>& m_diagnostics;
    std::string m_className; ///< its last part, as messages name it
    std::vector<std::string> m_names; ///< arguments visited so far
    std::map<std::string, recipe::Span, std::less<>> m_places; ///< of those given
    bool m_areRead = true; ///< all that were given
};

template <class Config>
void Arguments::compare(Config& config)
{
    if (!m_areRead)
        return;
    std::vector<Number> numbers;
    config.visit([&](const char* name, auto& member, const FieldFacts& facts = {}) {
        if (const auto value = numberOf(member))
            numbers.push_back({ name, facts.atMost, *value, defaultText(member) });
    });
    compareBounds(numbers);
    if constexpr (requires { config.misfits(); }) {
        for (const Misfit& misfit : config.misfits())
            report(misfit);
    }
}

// clang-format off
template <class Member> struct FieldTypeOf;
template <> struct FieldTypeOf<int64_t> { static constexpr auto kType = FieldType::Int; };
template <> struct FieldTypeOf<double> { static constexpr auto kType = FieldType::Float; };
template <> struct FieldTypeOf<bool> { static constexpr auto kType = FieldType::Bool; };
template <> struct FieldTypeOf<std::string> { static constexpr auto kType = FieldType::String; };
template <> struct FieldTypeOf<std::vector<int64_t>> { static constexpr auto kType = FieldType::IntList; };
template <> struct FieldTypeOf<std::vector<double>> { static constexpr auto kType = FieldType::FloatList; };
template <> struct FieldTypeOf<std::vector<bool>> { static constexpr auto kType = FieldType::BoolList; };
template <> struct FieldTypeOf<Shape> { static constexpr auto kType = FieldType::Shape; };
template <> struct FieldTypeOf<recipe::NodePtr> { static constexpr auto kType = FieldType::Node; };
template <class Value> struct FieldTypeOf<std::optional<Value>> : FieldTypeOf<Value> { };
template <class Member> struct IsOptional : std::false_type { };
template <class Value> struct IsOptional<std::optional<Value>> : std::true_type { };
// clang-format on

template <class Config>
std::vector<Field> fieldsOf()
{
    std::vector<Field> fields;
    Config config;
    config.visit([&](const char* name, auto& member, const FieldFacts& facts = {}) {
        using Member = std::remove_reference_t<decltype(member)>;
        const std::string text = facts.required ? "" : defaultText(member);
        fields.push_back(
            { name, FieldTypeOf<Member>::kType, IsOptional<Member>::value, text, facts });
    });
    return fields;
}

template <class Config>
Config readConfig(const recipe::Node& node, std::vector<recipe::Diagnostic>& diagnostics)
{
    Config config;
    Arguments arguments(node, diagnostics);
    config.visit([&](const char* name, auto& member, const FieldFacts& facts = {}) {
        arguments.read(name, member, facts);
    });
    arguments.compare(config);
    arguments.finish(acceptsAnyArgument<Config>());
    return config;
}

} // namespace earwright::catalog

/// Compiles the templates of read.h for a config of the catalogue, once for all.
#define EARWRIGHT_READ(Config)                                                                     \
    template std::vector<Field> fieldsOf<Config>();                                                \
    template Config readConfig<Config>(const recipe::Node&, std::vector<recipe::Diagnostic>&);
