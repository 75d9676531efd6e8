#include "core/data/csv.h"

#include "core/base/text.h"

#include <utility>

namespace earwright::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Walks the text once; one call of row() a row.
class CsvReader final {
public:
    explicit CsvReader(std::string_view text)
        : m_text(text)
    {
        if (m_text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
            m_text.remove_prefix(kByteOrderMark.size());
    }

    bool atEnd() const { return m_at >= m_text.size(); }

    Result<CsvRow> row()
    {
        CsvRow row { m_line, {} };
        for (;;) {
            Result<std::string> next = field();
            if (!next)
                return next.error();
            row.fields.push_back(std::move(*next));
            if (atEnd() || m_text[m_at] != ',')
                break;
            ++m_at;
        }
        skipLineEnd();
        return row;
    }

private:
    Result<std::string> field()
    {
        while (!atEnd() && m_text[m_at] == ' ')
            ++m_at;
        std::string value;
        if (!atEnd() && m_text[m_at] == '"') {
            if (Status quoted = readQuoted(value); !quoted)
                return quoted.error();
        }
        // Text after a closing quote is kept, as Python does.
        while (!atEnd() && !isFieldEnd(m_text[m_at])) {
            if (m_text[m_at] == '\0')
                return nulByte();
            value += m_text[m_at++];
        }
        return value;
    }

    Status readQuoted(std::string& value)
    {
        const int opened = m_line;
        for (++m_at; !atEnd(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                if (atEnd() || m_text[m_at] != '"')
                    return Done {};
            }
            if (c == '\0')
                return nulByte();
            m_line += c == '\n' ? 1 : 0;
            value += c;
        }
        return Error { atLine(opened) + "the quote opened here is never closed" };
    }

    Error nulByte() const { return Error { atLine(m_line) + "a NUL byte; is this a text file?" }; }

    static bool isFieldEnd(char c) { return c == ',' || c == '\n' || c == '\r'; }

    void skipLineEnd()
    {
        if (atEnd())
            return;
        const bool isPair = m_text.substr(m_at, 2) == "\r\n";
        m_at += isPair ? 2 : 1;
        ++m_line;
    }

    std::string_view m_text;
    size_t m_at = 0;
    int m_line = 1;
};

std::string formatField(const std::string& field)
{
    const bool isPlain = field.find_first_of(",\"\r\n") == std::string::npos
        && (field.empty() || field.front() != ' ');
    if (isPlain)
        return field;
    std::string quoted = "\"";
    for (const char c : field)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

Result<std::vector<CsvRow>> parseCsv(std::string_view text)
{
    std::vector<CsvRow> rows;
    CsvReader reader(text);
    while (!reader.atEnd()) {
        Result<CsvRow> row = reader.row();
        if (!row)
            return row.error();
        const bool isBlank = row->fields.size() == 1 && row->fields.front().empty();
        if (!isBlank)
            rows.push_back(std::move(*row));
    }
    return rows;
}

std::string formatCsvRow(const std::vector<std::string>& fields)
{
    std::vector<std::string> formatted;
    for (const std::string& field : fields)
        formatted.push_back(formatField(field));
    return join(formatted, ",") + '\n';
}

} // namespace earwright::data
