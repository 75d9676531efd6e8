#include "core/data/csv.h"

#include "core/base/bytes.h"
#include "core/base/sheet_text.h"
#include "core/base/text.h"

#include <utility>

namespace earwright::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kMostFields = 10'000; ///< of a row: each takes much more memory than a comma

/// Walks the text once; one call of row() a row.
class CsvReader final {
public:
    explicit CsvReader(std::streambuf& text)
        : m_text(text)
    {
        // A text that only begins like the mark begins with these bytes.
        while (m_numOfMark < kByteOrderMark.size() && next() == kByteOrderMark[m_numOfMark]) {
            m_text.sbumpc();
            ++m_numOfMark;
        }
        if (m_numOfMark == kByteOrderMark.size())
            m_numOfMark = 0;
    }

    bool atEnd() const { return m_numOfMark == 0 && isAtEnd(m_text.sgetc()); }

    Status row(CsvRow& row)
    {
        row.line = m_line;
        size_t count = 0;
        for (bool isLast = false; !isLast; ++count) {
            if (count == kMostFields)
                return Error { atLine(row.line) + "more than " + std::to_string(kMostFields)
                    + " fields; is this a manifest?" };
            if (count == row.fields.size())
                row.fields.emplace_back();
            if (Status read = field(row.fields[count]); !read)
                return read;
            isLast = next() != ',';
            if (!isLast)
                m_text.sbumpc();
        }
        row.fields.resize(count);
        skipLineEnd();
        return Done {};
    }

private:
    static bool isAtEnd(int c) { return c == std::char_traits<char>::eof(); }
    /// NUL at the end: in a text it is an error.
    char next() const
    {
        const int c = m_text.sgetc();
        return isAtEnd(c) ? '\0' : static_cast<char>(c);
    }

    Status field(std::string& value)
    {
        value = kByteOrderMark.substr(0, std::exchange(m_numOfMark, 0));
        while (value.empty() && next() == ' ')
            m_text.sbumpc();
        if (value.empty() && next() == '"') {
            if (Status quoted = readQuoted(value); !quoted)
                return quoted;
        }
        // Text after a closing quote is kept, as Python does.
        for (int c = m_text.sgetc(); !isAtEnd(c) && !isFieldEnd(static_cast<char>(c));
             c = m_text.snextc()) {
            if (c == '\0')
                return nulByte();
            value += static_cast<char>(c);
        }
        return Done {};
    }

    Status readQuoted(std::string& value)
    {
        const int opened = m_line;
        for (int c = m_text.snextc(); !isAtEnd(c); c = m_text.snextc()) {
            if (c == '"' && m_text.snextc() != '"')
                return Done {};
            if (c == '\0')
                return nulByte();
            m_line += c == '\n' ? 1 : 0;
            value += static_cast<char>(c);
        }
        return Error { atLine(opened) + "the quote opened here is never closed" };
    }

    Error nulByte() const { return Error { atLine(m_line) + "a NUL byte; is this a text file?" }; }

    static bool isFieldEnd(char c) { return c == ',' || c == '\n' || c == '\r'; }

    void skipLineEnd()
    {
        const int first = m_text.sbumpc();
        if (isAtEnd(first))
            return;
        if (first == '\r' && next() == '\n')
            m_text.sbumpc();
        ++m_line;
    }

    std::streambuf& m_text;
    size_t m_numOfMark = 0; ///< bytes of half a byte order mark, which are the first field's
    int m_line = 1;
};

} // namespace

Result<std::vector<CsvRow>> parseCsv(std::string_view text)
{
    TextBytes bytes(text);
    std::vector<CsvRow> rows;
    const Status read = eachCsvRow(bytes, [&](CsvRow& row) -> Status {
        rows.push_back(std::move(row));
        return Done {};
    });
    return read ? Result(std::move(rows)) : read.error();
}

Status eachCsvRow(std::streambuf& text, const std::function<Status(CsvRow& row)>& take)
{
    CsvReader reader(text);
    CsvRow row; // one for all: its fields' memory is used again
    while (!reader.atEnd()) {
        if (Status read = reader.row(row); !read)
            return read;
        const bool isBlank = row.fields.size() == 1 && row.fields.front().empty();
        if (Status taken = isBlank ? Status(Done {}) : take(row); !taken)
            return taken;
    }
    return Done {};
}

std::string formatCsvRow(const std::vector<std::string>& fields)
{
    std::vector<std::string> formatted;
    for (const std::string& field : fields)
        formatted.push_back(csvField(field));
    return join(formatted, ",") + '\n';
}

} // namespace earwright::data
