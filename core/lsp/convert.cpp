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

/// The same told by its first byte, where the others count none.
size_t unitsAt(char byte, Encoding encoding)
{
    const auto c = static_cast<unsigned char>(byte);
    if (encoding == Encoding::Utf8)
        return 1;
    const size_t isFirst = (c & 0xc0) != 0x80 ? 1 : 0;
    return isFirst + (encoding == Encoding::Utf16 && c >= 0xf0 ? 1 : 0);
}

} // namespace

std::string nameOf(Encoding encoding)
{
    static constexpr const char* kNames[] = { "utf-8", "utf-16", "utf-32" };
    return kNames[static_cast<int>(encoding)];
}

Encoding chosen(JsonReader clientCapabilities)
{
    std::vector<std::string> encodings;
    if (clientCapabilities.has("general") && !clientCapabilities.isNull("general"))
        if (JsonReader general = clientCapabilities.object("general");
            !general.isNull("positionEncodings"))
            general("positionEncodings", encodings);
    for (const std::string& offered : encodings)
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

size_t Converter::offset(JsonReader position) const
{
    int64_t line = 0;
    int64_t character = 0;
    position.require("line", line, kJsonCount);
    position.require("character", character, kJsonCount);
    if (line >= m_source.lineCount())
        return m_source.text().size();
    const int number = static_cast<int>(line) + 1;
    const std::string_view text = m_source.line(number);
    size_t at = 0;
    for (size_t units = 0; at < text.size();) {
        const size_t bytes = codePointLength(text, at);
        units += unitsOf(bytes, m_encoding);
        if (units > static_cast<size_t>(character))
            break;
        at += bytes;
    }
    return m_source.lineBegin(number) + at;
}

recipe::Position Converter::position(JsonReader position) const
{
    return m_source.position(offset(std::move(position)));
}

recipe::Span Converter::span(JsonReader range, const std::string& file) const
{
    return { file, position(range.object("start")), position(range.object("end")) };
}

Json Converter::position(recipe::Position position) const
{
    const bool isInText = position.line >= 1 && position.line <= m_source.lineCount();
    const size_t begin = isInText ? m_source.lineBegin(position.line) : 0;
    const size_t end = isInText ? m_source.offset(position) : 0;
    const std::string_view before = m_source.text().substr(begin, end - begin);
    size_t units = 0;
    for (const char c : before)
        units += unitsAt(c, m_encoding);
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
