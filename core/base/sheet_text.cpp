#include "core/base/sheet_text.h"

#include "core/base/number.h"

#include <algorithm>

namespace earwright {

namespace {

bool isNumber(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    return parseNumber<double>(text).has_value();
}

/// Apostrophes before it count for nothing: so a text that had one already is read back with it.
bool isFormula(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of('\''), text.size()));
    // The last four are the first four as full-width letters.
    for (const char* begin :
        { "=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20" }) {
        if (text.starts_with(begin))
            return !isNumber(text);
    }
    return false;
}

} // namespace

std::string sheetText(std::string_view text)
{
    return (isFormula(text) ? "'" : "") + std::string(text);
}

std::string_view textOfSheet(std::string_view cell)
{
    return cell.starts_with('\'') && isFormula(cell) ? cell.substr(1) : cell;
}

std::string csvField(std::string_view text)
{
    const bool isPlain
        = text.find_first_of(",\"\r\n") == std::string_view::npos && !text.starts_with(' ');
    if (isPlain)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string sheetField(std::string_view text)
{
    return csvField(sheetText(text));
}

} // namespace earwright
