#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

bool isNumber(const std::string& text)
{
    const auto type = recipe::scalarType(*recipe::makeScalar(text));
    return type == recipe::ScalarType::Int || type == recipe::ScalarType::Float;
}

bool isDigits(std::string_view text)
{
    return !text.empty()
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "0,001": a decimal comma. A list of devices ("0,1") has one digit on either side.
bool hasDecimalComma(const std::string& text)
{
    const size_t comma = text.find(',');
    if (comma == std::string::npos)
        return false;
    const std::string_view whole = std::string_view(text).substr(text[0] == '-' ? 1 : 0);
    const size_t at = whole.find(',');
    return isDigits(whole.substr(0, at)) && isDigits(whole.substr(at + 1))
        && (at > 1 || whole.size() - at > 2);
}

/// YAML 1.2, and with it HyperPyYAML, reads 1e-4 as a number; PyYAML wants a point in it.
bool isNumberOnlyHere(const std::string& text)
{
    const size_t exponent = text.find_first_of("eE");
    return exponent != std::string::npos && text.find('.') == std::string::npos && isNumber(text)
        && isDigits(text.substr(text[0] == '-' || text[0] == '+' ? 1 : 0,
            exponent - (text[0] == '-' || text[0] == '+' ? 1 : 0)));
}

std::string withPoint(std::string text)
{
    return text.insert(text.find_first_of("eE"), ".0");
}

void look(const Context& context, const Node& node, Diagnostics& found)
{
    const std::string& file = context.request.fileName;
    const std::string& text = node.text;
    if (node.style == recipe::ScalarStyle::Quoted && isNumber(text)) {
        report(found, Severity::Warning, "number-in-quotes",
            "\"" + text + "\" is a text because of its quotes, not the number " + text, node.span)
            .fix
            = settings::replaceScalar(node, file, text);
    } else if (node.style == recipe::ScalarStyle::Plain && hasDecimalComma(text)) {
        std::string point = text;
        point[point.find(',')] = '.';
        report(found, Severity::Warning, "decimal-comma",
            text + " is a text, not a number: the decimal sign is a point", node.span)
            .fix
            = settings::replaceScalar(node, file, point);
    } else if (node.style == recipe::ScalarStyle::Plain && isNumberOnlyHere(text)) {
        report(found, Severity::Info, "number-without-point",
            text
                + " is a number here and in HyperPyYAML, but a text to PyYAML, as WeNet and ESPnet "
                  "use it",
            node.span)
            .fix
            = settings::replaceScalar(node, file, withPoint(text));
    }
}

} // namespace

void numbers(const Context& context, Diagnostics& found)
{
    for (const recipe::Entry& entry : context.root.entries) {
        settings::walk(entry.value, [&](const NodePtr& node) {
            const bool isOwn = node->kind == recipe::Kind::Scalar && node->tag.empty()
                && node->origin == recipe::Origin::Recipe;
            if (isOwn)
                look(context, *node, found);
            return true;
        });
    }
}

} // namespace earwright::check::rules
