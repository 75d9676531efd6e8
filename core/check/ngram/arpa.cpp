#include "core/base/text.h"
#include "core/check/ngram/ngram_file.h"
#include "core/check/ngram/word_hash.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <unordered_set>
#include <vector>
#include <zlib.h>

namespace earwright::check {

namespace {

constexpr size_t kLongestLine = size_t { 1 } << 16;
/// What text may be compressed to, once it is larger than that: ARPA texts shrink five-fold.
constexpr uint64_t kMostUnpacking = 100;
constexpr uint64_t kSmallText = uint64_t { 64 } << 20;

struct GzipFileCloser {
    void operator()(gzFile_s* file) const { gzclose(file); }
};

/// The lines of a text, compressed or not.
class Lines final {
public:
    explicit Lines(const std::filesystem::path& path)
        : m_file(gzopen(path.c_str(), "rb"))
    {
        if (m_file)
            gzbuffer(m_file.get(), 1 << 18);
        else
            m_problem = "it cannot be read";
    }

    /// False behind the last one, and where something is wrong.
    bool next(std::string_view& line)
    {
        size_t end = m_text.find('\n', m_at);
        while (end == std::string::npos && more())
            end = m_text.find('\n', m_at);
        if (!m_problem.empty() || m_at == m_text.size())
            return false;
        end = std::min(end, m_text.size());
        line = std::string_view(m_text).substr(m_at, end - m_at);
        m_at = std::min(end + 1, m_text.size());
        m_number += 1;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.find('\0') != std::string_view::npos)
            m_problem = "line " + std::to_string(m_number) + " has a byte 0";
        return m_problem.empty();
    }
    uint64_t number() const { return m_number; }
    /// Of the file rather than of a line; "" where it is read to its end.
    const std::string& problem() const { return m_problem; }

private:
    bool more()
    {
        if (m_isOver || !m_problem.empty())
            return false;
        if (m_text.size() - m_at > kLongestLine) {
            m_problem = "line " + std::to_string(m_number + 1) + " is longer than "
                + std::to_string(kLongestLine) + " bytes";
            return false;
        }
        m_text.erase(0, m_at);
        m_at = 0;
        const size_t kept = m_text.size();
        m_text.resize(kept + kLongestLine);
        const int got = gzread(m_file.get(), m_text.data() + kept, kLongestLine);
        m_text.resize(kept + static_cast<size_t>(std::max(got, 0)));
        m_isOver = got <= 0;
        lookAt(got);
        return m_problem.empty() && !m_isOver;
    }
    void lookAt(int got)
    {
        int code = Z_OK;
        const char* const said = gzerror(m_file.get(), &code);
        m_unpacked += static_cast<uint64_t>(std::max(got, 0));
        const auto packed = static_cast<uint64_t>(std::max<z_off_t>(gzoffset(m_file.get()), 1));
        if (code == Z_BUF_ERROR)
            m_problem = "its compressed text ends too early";
        else if (code != Z_OK && code != Z_STREAM_END) {
            const std::string reason(said); // behind the file's name
            const size_t name = reason.rfind(": ");
            m_problem = "its compressed text is damaged: "
                + (name == std::string::npos ? reason : reason.substr(name + 2));
        } else if (m_unpacked > kSmallText && m_unpacked / kMostUnpacking > packed)
            m_problem = "its compressed text unpacks to more than " + std::to_string(kMostUnpacking)
                + " times its size";
    }

    std::unique_ptr<gzFile_s, GzipFileCloser> m_file;
    std::string m_text;
    size_t m_at = 0;
    uint64_t m_number = 0;
    uint64_t m_unpacked = 0;
    bool m_isOver = false;
    std::string m_problem;
};

/// A hash is one already.
struct AsItIs {
    size_t operator()(uint64_t hash) const { return hash; }
};

bool isArpaBlank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

std::string shownStart(std::string_view text)
{
    constexpr size_t kShown = 40;
    const bool isText = brokenUtf8At(text.substr(0, kLongestLine)) == std::string_view::npos
        && std::none_of(text.begin(), text.end(),
            [](char byte) { return static_cast<unsigned char>(byte) < ' ' && byte != '\t'; });
    if (!isText)
        return "bytes that are no text";
    const std::vector<std::string> points = codePoints(text.substr(0, 4 * kShown));
    std::string shown;
    for (size_t i = 0; i < std::min(points.size(), kShown); ++i)
        shown += points[i];
    return inQuotes(shown + (points.size() > kShown ? "…" : ""));
}

/// As KenLM reads them: the counts, then each order's n-grams, then the end.
class Arpa final {
public:
    explicit Arpa(const std::filesystem::path& path)
        : m_lines(path)
    {
    }

    std::string whyNot()
    {
        std::string why = whyNoCounts();
        for (size_t order = 1; why.empty() && order <= m_counts.size(); ++order)
            why = whyNoOrder(order);
        if (why.empty())
            why = whyNoEnd();
        if (!m_lines.problem().empty())
            return m_lines.problem();
        if (m_lines.number() == 0)
            return "it is empty";
        return why.empty() ? why : "line " + std::to_string(m_lines.number()) + ": " + why;
    }

private:
    /// The next one that is not blank.
    bool next()
    {
        while (m_lines.next(m_line))
            if (!trim(m_line).empty())
                return true;
        m_line = {};
        return false;
    }

    std::string whyNoCounts()
    {
        while (next() && m_line.starts_with('#'))
            continue;
        if (m_line != "\\data\\")
            return "it is no ARPA text, which begins with \\data\\"
                + (m_line.empty() ? "" : " and not with " + shownStart(m_line));
        while (m_lines.next(m_line) && !trim(m_line).empty())
            if (std::string why = whyNoCount(); !why.empty())
                return why;
        if (m_counts.size() < 2)
            return "it counts no pairs of words, and KenLM reads none of single words";
        return {};
    }

    std::string whyNoCount()
    {
        constexpr std::string_view kBegin = "ngram ";
        std::string_view rest = m_line;
        uint64_t order = 0;
        uint64_t count = 0;
        const bool begins = rest.starts_with(kBegin);
        rest.remove_prefix(begins ? kBegin.size() : 0);
        if (!begins || !take(rest, order) || order != m_counts.size() + 1 || !rest.starts_with('=')
            || !take(rest = rest.substr(1), count) || !trim(rest).empty())
            return "it should be 'ngram " + std::to_string(m_counts.size() + 1) + "=COUNT' and is "
                + shownStart(m_line);
        if (m_counts.size() == kMostNgramOrder)
            return "it is of a higher order than " + std::to_string(kMostNgramOrder)
                + ", for which KenLM is built here";
        m_counts.push_back(count);
        return {};
    }

    /// A number behind blanks.
    static bool take(std::string_view& text, uint64_t& number)
    {
        text.remove_prefix(std::min(text.find_first_not_of("\t\r "), text.size()));
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
        return read.ec == std::errc();
    }

    std::string whyNoOrder(size_t order)
    {
        const std::string title = "\\" + std::to_string(order) + "-grams:";
        if (!next() || m_line != title)
            return "it should be " + title + " and is "
                + (m_line.empty() ? "the end" : shownStart(m_line));
        for (uint64_t entry = 0; entry < m_counts[order - 1]; ++entry) {
            if (!next() || m_line.starts_with('\\'))
                return "there are " + std::to_string(entry) + " " + std::to_string(order)
                    + "-grams, and " + std::to_string(m_counts[order - 1]) + " were announced";
            if (std::string why = whyNoEntry(order); !why.empty())
                return why;
        }
        return {};
    }

    std::string whyNoEntry(size_t order)
    {
        splitLine();
        if (m_parts.size() < order + 1 || m_parts.size() > order + 2)
            return "it should be a number, " + std::to_string(order)
                + (order == 1 ? " word" : " words") + " and perhaps another number";
        if (std::string why = whyNoWeight(m_parts.front(), 0); !why.empty())
            return why;
        const bool isTabbed = order > 1 || m_parts.front().data()[m_parts.front().size()] == '\t';
        if (!isTabbed || (m_parts.size() == order + 2 && m_parts.back().data()[-1] != '\t'))
            return "numbers and words should be parted by tabs";
        if (m_parts.size() == order + 2)
            if (std::string why = whyNoWeight(m_parts.back(), kMostNgramWeight); !why.empty())
                return why;
        for (size_t i = 1; i <= order; ++i) {
            const bool isKnown = isUnknownWord(m_parts[i]);
            const uint64_t hash = wordHash(m_parts[i]);
            if (order == 1 && !isKnown && !m_words.insert(hash).second)
                return inQuotes(m_parts[i]) + " is listed twice";
            if (order > 1 && !isKnown && m_words.count(hash) == 0)
                return inQuotes(m_parts[i]) + " is none of the 1-grams";
        }
        return {};
    }

    void splitLine()
    {
        m_parts.clear();
        for (size_t at = 0; at < m_line.size();) {
            const size_t begin = at;
            while (at < m_line.size() && !isArpaBlank(m_line[at]))
                ++at;
            if (at > begin)
                m_parts.push_back(m_line.substr(begin, at - begin));
            else
                ++at;
        }
    }

    static std::string whyNoWeight(std::string_view text, double most)
    {
        double weight = 0;
        const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
        const char* const end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, weight);
        if (read.ec != std::errc() || read.ptr != end)
            return shownStart(text) + " is no number";
        if (!(weight >= -kMostNgramWeight && weight <= kMostNgramWeight)) // NaN too
            return shownStart(text) + " is no possible weight";
        return weight <= most ? "" : shownStart(text) + " is a probability above 1";
    }

    std::string whyNoEnd()
    {
        if (!next() || m_line != "\\end\\")
            return "it should be \\end\\ behind the " + std::to_string(m_counts.back()) + " "
                + std::to_string(m_counts.size()) + "-grams that were announced, and is "
                + (m_line.empty() ? "the end" : shownStart(m_line));
        return next() ? "something follows \\end\\" : "";
    }

    Lines m_lines;
    std::string_view m_line;
    std::vector<std::string_view> m_parts; ///< of the line
    std::vector<uint64_t> m_counts;
    std::unordered_set<uint64_t, AsItIs> m_words; ///< hashes
};

} // namespace

std::string whyNoArpa(const std::filesystem::path& file)
{
    return Arpa(file).whyNot();
}

} // namespace earwright::check
