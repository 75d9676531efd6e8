#include "core/lsp/convert.h"

#include "core/base/text.h"

#include <algorithm>

namespace earwright::lsp {
namespace {

/// Units that the code point of so many bytes takes; those of four bytes are surrogate pairs.
size_t unitsOf(size_t bytes, Encoding encoding)
{
    if (encoding == Encoding::Utf8)
        return bytes;
    return encoding == Encoding::Utf16 && bytes == 4 ? 2 : 1;
}

} // namespace

std::string nameOf(Encoding encoding)
{
    static constexpr const char* kNames[] = { "utf-8", "utf-16", "utf-32" };
    return kNames[static_cast<int>(encoding)];
}

Encoding chosen(const Json& clientCapabilities)
{
    const Json::json_pointer place("/general/positionEncodings");
    if (!clientCapabilities.is_object() || !clientCapabilities.contains(place))
        return Encoding::Utf16;
    for (const Json& offered : clientCapabilities.at(place))
        for (const Encoding encoding : { Encoding::Utf8, Encoding::Utf16, Encoding::Utf32 })
            if (offered == nameOf(encoding))
                return encoding;
    return Encoding::Utf16;
}

Converter::Converter(std::string_view text, Encoding encoding)
    : m_source(text)
    , m_encoding(encoding)
{
}

size_t Converter::offset(const Json& position) const
{
    const auto line = position.at("line").get<size_t>();
    const auto character = position.at("character").get<size_t>();
    if (line >= static_cast<size_t>(m_source.lineCount()))
        return m_source.text().size();
    const int number = static_cast<int>(line) + 1;
    const std::string_view text = m_source.line(number);
    size_t at = 0;
    for (size_t units = 0; at < text.size();) {
        const size_t bytes = codePointLength(text, at);
        units += unitsOf(bytes, m_encoding);
        if (units > character)
            break;
        at += bytes;
    }
    return m_source.lineBegin(number) + at;
}

recipe::Position Converter::position(const Json& position) const
{
    return m_source.position(offset(position));
}

recipe::Span Converter::span(const Json& range, const std::string& file) const
{
    return { file, position(range.at("start")), position(range.at("end")) };
}

Json Converter::position(recipe::Position position) const
{
    const std::string_view text = m_source.line(position.line);
    size_t units = 0;
    int column = 1;
    for (size_t at = 0; at < text.size() && column < position.column; ++column) {
        const size_t bytes = codePointLength(text, at);
        units += unitsOf(bytes, m_encoding);
        at += bytes;
    }
    return { { "line", std::max(0, position.line - 1) }, { "character", units } };
}

Json Converter::range(const recipe::Span& span) const
{
    return { { "start", position(span.begin) },
        { "end", position(std::max(span.begin, span.end)) } };
}

Json Converter::edits(const std::vector<recipe::Edit>& edits) const
{
    Json list = Json::array();
    for (const recipe::Edit& edit : edits)
        list.push_back({ { "range", range(edit.span) }, { "newText", edit.text } });
    return list;
}

} // namespace earwright::lsp
