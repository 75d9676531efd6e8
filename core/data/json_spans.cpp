#include "core/data/json_spans.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace earwright::data {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Behind the text in quotes that begins at `begin`.
size_t endOfString(std::string_view text, size_t begin)
{
    for (size_t i = begin + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return text.size();
}

/// Behind the value that begins at `begin`.
size_t endOfValue(std::string_view text, size_t begin)
{
    int depth = 0;
    for (size_t i = begin; i < text.size();) {
        const char byte = text[i];
        if (byte == '"') {
            i = endOfString(text, i);
            continue;
        }
        const bool closes = byte == '}' || byte == ']';
        if (depth == 0 && (closes || byte == ',' || kBlanks.find(byte) != std::string_view::npos))
            return i;
        depth += byte == '{' || byte == '[' ? 1 : closes ? -1 : 0;
        ++i;
    }
    return text.size();
}

/// The member whose key begins at `begin`; none where there is none.
std::optional<JsonSpan> spanAt(std::string_view text, size_t begin)
{
    if (begin >= text.size() || text[begin] != '"')
        return std::nullopt;
    const size_t keyEnd = endOfString(text, begin);
    const size_t colon = text.find(':', keyEnd);
    const size_t value
        = colon == std::string_view::npos ? colon : text.find_first_not_of(kBlanks, colon + 1);
    if (value == std::string_view::npos)
        return std::nullopt;
    const auto key = nlohmann::json::parse(text.substr(begin, keyEnd - begin), nullptr, false);
    const size_t end = endOfValue(text, value);
    return JsonSpan { .key = key.is_string() ? key.get<std::string>() : "",
        .whole = text.substr(begin, end - begin),
        .value = text.substr(value, end - value) };
}

} // namespace

std::vector<JsonSpan> spansOfJson(std::string_view text)
{
    std::vector<JsonSpan> spans;
    size_t next = text.find('{');
    while (next != std::string_view::npos) { // at the brace, or at the comma behind a member
        const size_t key = text.find_first_not_of(kBlanks, next + 1);
        std::optional<JsonSpan> span = spanAt(text, key);
        if (!span)
            break;
        next = text.find_first_not_of(kBlanks, key + span->whole.size());
        spans.push_back(std::move(*span));
        if (next != std::string_view::npos && text[next] != ',')
            break;
    }
    return spans;
}

std::string withJsonValue(std::string_view text, std::string_view key, std::string_view value)
{
    std::optional<JsonSpan> last;
    for (JsonSpan& span : spansOfJson(text))
        if (span.key == key)
            last = std::move(span);
    std::string changed(text);
    if (last)
        changed.replace(
            static_cast<size_t>(last->value.data() - text.data()), last->value.size(), value);
    return changed;
}

} // namespace earwright::data
