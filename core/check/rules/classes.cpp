#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// Packages of which the catalogue means to know what recipes use.
constexpr std::string_view kKnownPackages[]
    = { "speechbrain.", "torch.nn.", "torch.optim.", "earwright.", "kymo." };

bool isOfKnownPackage(std::string_view name)
{
    return std::any_of(std::begin(kKnownPackages), std::end(kKnownPackages),
        [&](std::string_view package) { return name.starts_with(package); });
}

std::string_view moduleOf(std::string_view name)
{
    const size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? "" : name.substr(0, dot);
}

/// Of classes with the right last part the one whose module is nearest, of the same package where
/// there is one: many packages have a "Linear".
std::string nearestModule(std::string_view name, const std::vector<std::string_view>& candidates)
{
    const std::string_view package = name.substr(0, name.find('.'));
    const auto distance = [&](std::string_view candidate) {
        const bool isSamePackage = candidate.substr(0, candidate.find('.')) == package;
        return std::pair(!isSamePackage, editDistance(candidate, name));
    };
    const auto nearest = std::min_element(candidates.begin(), candidates.end(),
        [&](std::string_view a, std::string_view b) { return distance(a) < distance(b); });
    return nearest == candidates.end() ? "" : std::string(*nearest);
}

/// First what only the module or only the last part gets wrong, by a typing error at most: whole
/// names are so long that nearestName() would find all kinds of them near.
std::string nearestClass(std::string_view name)
{
    const std::string last = catalog::lastPart(name);
    std::vector<std::string> sameModule;
    std::vector<std::string_view> sameLast;
    for (const std::string& known : catalog::classNames()) {
        if (moduleOf(known) == moduleOf(name))
            sameModule.push_back(catalog::lastPart(known));
        if (known.ends_with("." + last) && isOfKnownPackage(name))
            sameLast.push_back(known);
    }
    if (const std::string near = nearestName(last, sameModule); !near.empty())
        return std::string(moduleOf(name)) + "." + near;
    return nearestModule(name, sameLast);
}

/// The class's part of the tag "!new:speechbrain.nnet.linear.Liner" is what a fix replaces.
std::optional<recipe::Fix> renameClass(
    const Context& context, const Node& node, const std::string& nearest)
{
    const std::string tag = node.tag.substr(0, node.tag.find(':') + 1);
    const std::vector<std::string> lines = split(context.request.text, '\n');
    for (size_t line = 0; line < lines.size(); ++line) {
        const size_t at = lines[line].find(node.tag);
        const int number = static_cast<int>(line) + 1;
        if (at == std::string::npos || node.span.file != context.request.fileName
            || number > node.span.end.line || number + 1 < node.span.begin.line)
            continue;
        const int column = static_cast<int>(codePointCount(lines[line].substr(0, at))) + 1;
        const int end = column + static_cast<int>(codePointCount(node.tag));
        const recipe::Span span { node.span.file, { number, column }, { number, end } };
        return recipe::Fix { "Change to " + nearest, { { span, tag + nearest } } };
    }
    return {};
}

void unknownClass(const Context& context, const Node& node, Diagnostics& found)
{
    const std::string name(catalog::classOf(node));
    const std::string nearest = nearestClass(name);
    const bool isError = !nearest.empty() || isOfKnownPackage(name);
    std::string message = "unknown class '" + name + "'";
    message += nearest.empty()
        ? "; Earwright does not run Python, so it can neither check nor build it"
        : "; did you mean '" + nearest + "'?";
    auto& diagnostic = report(
        found, isError ? Severity::Error : Severity::Warning, "unknown-class", message, node.span);
    if (!nearest.empty())
        diagnostic.fix = renameClass(context, node, nearest);
}

NodePtr rootOf(const Context& context)
{
    // The tree is only read; settings::walk() wants shared pointers because visitors may keep them.
    return std::make_shared<Node>(context.root);
}

} // namespace

void classes(const Context& context, Diagnostics& found)
{
    settings::walk(rootOf(context), [&](const NodePtr& node) {
        if (const auto name = catalog::classOf(*node); !name.empty() && !catalog::findClass(name))
            unknownClass(context, *node, found);
        return true;
    });
}

void arguments(const Context& context, Diagnostics& found)
{
    settings::walk(rootOf(context), [&](const NodePtr& node) {
        const auto name = catalog::classOf(*node);
        const catalog::ClassInfo* info = name.empty() ? nullptr : catalog::findClass(name);
        if (info && info->checkArguments)
            info->checkArguments(*node, found);
        return true;
    });
}

} // namespace earwright::check::rules
