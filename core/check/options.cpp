#include "core/check/options.h"

#include "core/base/text.h"
#include "core/check/inferred_options.h"
#include "core/settings/option_paths.h"
#include "core/settings/references.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/run_option_fields.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace earwright::check {

using catalog::RunOptions;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Range {
    double min;
    double max;
};

Range rangeOf(const std::string& key)
{
    const catalog::Field* const field = tasks::findRunOption(key);
    return field ? Range { field->facts.min, field->facts.max } : Range { -kUnbounded, kUnbounded };
}

// Each overload says whether the node's text is of the member's type, and what that type is called.
struct Typed {
    bool isRead = false;
    const char* expected = "";
};

Typed assign(const Node& node, int64_t& member)
{
    const auto value = recipe::asInt(node);
    member = value.value_or(member);
    return { value.has_value(), "a whole number" };
}

Typed assign(const Node& node, double& member)
{
    const auto value = recipe::asDouble(node);
    member = value.value_or(member);
    return { value.has_value(), "a number" };
}

Typed assign(const Node& node, bool& member)
{
    const auto value = recipe::asBool(node);
    member = value.value_or(member);
    return { value.has_value(), "True or False" };
}

Typed assign(const Node& node, std::string& member)
{
    member = recipe::asString(node);
    return { true, "a string" };
}

// clang-format off
std::string textOf(int64_t value) { return std::to_string(value); }
std::string textOf(double value) { return formatDouble(value); }
std::string textOf(bool value) { return value ? "True" : "False"; }
std::string textOf(const std::string& value) { return value; }
double numberOf(int64_t value) { return static_cast<double>(value); }
double numberOf(double value) { return value; }
double numberOf(bool) { return 0; }
double numberOf(const std::string&) { return 0; }
// clang-format on

std::string bounds(const Range& range)
{
    const std::string least = formatNumber(range.min);
    return range.max == kUnbounded ? "at least " + least
                                   : "between " + least + " and " + formatNumber(range.max);
}

/// Reads one option; the default stays where the recipe's value does not fit.
template <class Member>
void readOption(const Node& node, const std::string& key, Member& member, Diagnostics& found)
{
    const Member before = member;
    const bool isScalar = node.kind == recipe::Kind::Scalar && node.tag.empty();
    const Typed typed = isScalar ? assign(node, member) : Typed { false, "a single value" };
    const Range range = rangeOf(key);
    const std::string given = isScalar ? node.text : "this";
    if (!typed.isRead)
        report(found, Severity::Error, "option-type",
            "'" + key + "' must be " + typed.expected + ", not " + given, node.span);
    else if (numberOf(member) >= range.min && numberOf(member) <= range.max)
        return;
    else
        report(found, Severity::Error, "option-range",
            "'" + key + "' must be " + bounds(range) + ", not " + given, node.span);
    member = before;
}

/// "a,b" of the sequence [a, b], for options that are lists by commas.
NodePtr asOneValue(const std::string& key, const NodePtr& node)
{
    const bool isList = key == "init_param" || key == "freeze_param";
    if (!isList || node->kind != recipe::Kind::Sequence)
        return node;
    std::vector<std::string> values;
    for (const NodePtr& item : node->items) {
        if (item->kind != recipe::Kind::Scalar)
            return node;
        values.push_back(item->text);
    }
    NodePtr joined = recipe::makeScalar(join(values, ","), node->origin);
    joined->span = node->span;
    return joined;
}

/// An option that has a list of choices besides its default, which stays where the recipe's is
/// none of them.
void checkChoice(const Node& root, const std::string& fileName, const char* key,
    std::string RunOptions::*member, Findings& findings)
{
    std::string& given = findings.options.*member;
    const std::vector<std::string>& choices = tasks::findRunOption(key)->facts.choices;
    if (given == RunOptions().*member
        || std::find(choices.begin(), choices.end(), given) != choices.end())
        return;
    const NodePtr node = settings::findOption(root, key);
    auto& diagnostic = report(findings.diagnostics, Severity::Error, "option-range",
        std::string("'") + key + "' must be one of " + join(choices, ", ") + ", not " + given,
        node->span);
    if (const std::string nearest = nearestName(given, choices); !nearest.empty())
        diagnostic.fix = settings::replaceScalar(*node, fileName, nearest);
    given = RunOptions().*member;
}

void checkIntervals(const Node& root, Findings& findings)
{
    if (findings.options.ckptIntervalMinutes <= 0 || findings.options.ckptIntervalSteps <= 0)
        return;
    report(findings.diagnostics, Severity::Error, "option-conflict",
        "give 'ckpt_interval_minutes' or 'ckpt_interval_steps', not both",
        settings::findOption(root, "ckpt_interval_steps")->span);
}

/// c10d's reducer counts in the first step how often each gradient comes, and would count the
/// accumulated ones too.
void checkStaticGraph(const Node& root, Findings& findings)
{
    if (!findings.options.staticGraph || findings.options.gradAccumulationFactor == 1)
        return;
    report(findings.diagnostics, Severity::Error, "option-conflict",
        "'static_graph' needs 'grad_accumulation_factor' 1: with accumulated batches no gradient "
        "would be reduced after the first step",
        settings::findOption(root, "static_graph")->span);
}

void checkBestKeys(const Node& root, Findings& findings)
{
    if (findings.options.maxKey.empty())
        return;
    const recipe::Span span = settings::findOption(root, "max_key")->span;
    if (!findings.options.minKey.empty())
        report(findings.diagnostics, Severity::Error, "option-conflict",
            "give 'min_key' or 'max_key', not both", span);
    const NodePtr hotwords = recipe::find(root, "hotword");
    const bool areCounted = findings.options.maxKey.starts_with("hotword");
    if (areCounted && (!hotwords || recipe::isNull(*hotwords)))
        report(findings.diagnostics, Severity::Error, "option-conflict",
            "'max_key' needs 'hotword', the list of those that are counted", span);
}

template <class Member>
bool says(const std::string& key, const NodePtr& node, Member value)
{
    const Member known = value;
    return assign(*asOneValue(key, node), value).isRead && value == known;
}

/// What the recipe's own keys make of it takes effect there.
bool isReferredTo(const Findings& findings, const std::string& path)
{
    if (!findings.written)
        return false;
    const NodePtr node = recipe::findPath(*findings.recipe, path);
    const std::vector<settings::ReferenceUse> uses = settings::referenceUses(*findings.written);
    return std::any_of(uses.begin(), uses.end(), [&](const settings::ReferenceUse& use) {
        const NodePtr user = recipe::findPath(*findings.recipe, use.path);
        const bool isReplaced = user && user != node && user->origin >= recipe::Origin::Override;
        return use.target == path && !isReplaced;
    });
}

/// An override of one place of an option where another place counts.
template <class Member>
void checkPlaces(const Node& root, const std::string& key, const Member& value, Findings& findings)
{
    const Names paths = settings::optionPaths(root, key);
    for (size_t i = 1; i < paths.size(); ++i) {
        const NodePtr lost = recipe::findPath(root, paths[i]);
        if (!settings::isOverridden(root, paths[i]) || says(key, lost, value)
            || isReferredTo(findings, paths[i]))
            continue;
        const NodePtr counting = recipe::findPath(root, paths.front());
        report(findings.diagnostics, Severity::Error, "unknown-override",
            inQuotes(lost->originText) + " has no effect: "
                + (settings::isOverridden(root, paths.front())
                        ? inQuotes(counting->originText)
                            + " sets the same option; leave one of them out"
                        : inQuotes(paths.front()) + " counts; override that instead"),
            lost->span);
    }
}

} // namespace

void readOptions(const Node& root, const std::string& fileName, Findings& findings)
{
    findings.options.visit([&](const char* key, auto& member, const char* consumer) {
        const NodePtr node = settings::findOption(root, key);
        if (node && !settings::isOpen(*node))
            readOption(*asOneValue(key, node), key, member, findings.diagnostics);
        checkPlaces(root, key, member, findings);
        findings.provenance.push_back(
            settings::provenanceOf(key, textOf(member), node.get(), consumer));
    });
    checkChoice(root, fileName, "sorting", &RunOptions::sorting, findings);
    checkChoice(root, fileName, "loss_weighting", &RunOptions::lossWeighting, findings);
    checkChoice(root, fileName, "ddp_comm_hook", &RunOptions::ddpCommHook, findings);
    checkChoice(root, fileName, "split_words", &RunOptions::splitWords, findings);
    checkChoice(root, fileName, "distributed_backend", &RunOptions::distributedBackend, findings);
    checkChoice(root, fileName, "min_key", &RunOptions::minKey, findings);
    checkChoice(root, fileName, "max_key", &RunOptions::maxKey, findings);
    checkIntervals(root, findings);
    checkStaticGraph(root, findings);
    checkBestKeys(root, findings);
    readDeprecated(root, fileName, findings);
    inferOptions(root, findings);
}

bool isAsked(const Request& request, const std::string& path)
{
    return std::any_of(
        request.overrides.begin(), request.overrides.end(), [&](const recipe::Override& override) {
            const std::string own = join(override.path, ".");
            return own == path || own.starts_with(path + ".")
                || (path.starts_with(own + ".")
                    && recipe::findPath(*override.value, path.substr(own.size() + 1)));
        });
}

} // namespace earwright::check
