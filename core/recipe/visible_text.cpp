#include "core/recipe/visible_text.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"

#include <algorithm>

namespace earwright::recipe {
namespace {

bool isSuspicious(uint32_t code)
{
    return isInvisible(code) || isOtherBlank(code);
}

bool isQuote(uint32_t code)
{
    return code == '"' || code == '\'';
}

bool isBlankOfAny(uint32_t code)
{
    return code == ' ' || code == '\t' || code == '\n' || code == '\r' || isOtherBlank(code);
}

/// Joiners and variation selectors, which scripts and pictures need between their signs.
bool isJoiner(uint32_t code)
{
    return code == 0x200c || code == 0x200d;
}
bool isVariation(uint32_t code)
{
    return (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

/// Whether one of these stands where it has a use: behind a sign outside ASCII, a joiner before one
/// too.
bool isAtHome(const std::vector<Point>& points, size_t i)
{
    const auto isSign = [&](size_t at) {
        return at < points.size() && points[at].code >= 0x80 && !isOtherBlank(points[at].code);
    };
    const bool isAfter = i > 0 && isSign(i - 1);
    return isAfter && (isVariation(points[i].code) || (isJoiner(points[i].code) && isSign(i + 1)));
}

/// A text by what its characters are, each by its index.
class Reading final {
public:
    Reading(const std::vector<Point>& points, const TextPlace& place)
        : m_points(points)
        , m_place(place)
        , m_begin(0)
        , m_end(points.size())
    {
        if (m_end - m_begin >= 2 && !place.isPlain && isQuote(points.front().code)) {
            ++m_begin;
            --m_end;
        }
        for (size_t i = m_begin; i < m_end; ++i)
            count(i);
    }

    std::vector<Suspect> suspects() const
    {
        std::vector<Suspect> found;
        if (!m_hasSuspicious)
            return found;
        for (size_t i = m_begin; i < m_end; ++i) {
            const uint32_t code = m_points[i].code;
            if (isSuspicious(code) && !isAtHome(m_points, i)
                && (isInvisible(code) ? isWrongInvisible() : isWrongBlank(i)))
                found.push_back({ i, insteadOf(i) });
        }
        return found;
    }

private:
    void count(size_t i)
    {
        const uint32_t code = m_points[i].code;
        if (isSuspicious(code)) {
            m_hasSuspicious = true;
            return;
        }
        if (isBlankOfAny(code)) {
            m_hasBlank = m_hasBlank || (m_hasVisible && m_points[m_lastVisible].code != ',');
            return;
        }
        m_hasWords = m_hasWords || m_hasBlank;
        m_firstVisible = m_hasVisible ? m_firstVisible : i;
        m_lastVisible = i;
        m_hasVisible = true;
        m_hasOtherScript = m_hasOtherScript || isOfOtherScript(code);
        m_hasLetter = m_hasLetter || isLetter(code);
        m_hasDigit = m_hasDigit || isDigit(code);
        m_hasSlash = m_hasSlash || code == '/' || code == '\\';
    }

    uint32_t codeAt(size_t i) const { return i < m_end ? m_points[i].code : 0; }

    /// By its key, or by itself: sentences hold a slash too, but begin otherwise.
    bool isPath() const
    {
        constexpr std::string_view kEnds[]
            = { "folder", "dir", "path", "file", "csv", "json", "annotation", "manifest", "tsv" };
        const std::string key = toLower(m_place.key);
        if (std::any_of(std::begin(kEnds), std::end(kEnds),
                [&](std::string_view end) { return key.ends_with(end); }))
            return true;
        const uint32_t first = codeAt(m_begin);
        const bool beginsOne = first == '/' || first == '.' || first == '~' || first == '<';
        return (m_hasSlash || m_place.isReference) && (beginsOne || !m_hasWords);
    }
    bool isNumber() const { return !m_hasLetter && m_hasDigit; }
    /// Of blanks or less only: in quotes or a list the label of one.
    bool isLabelOfBlanks() const { return !m_hasVisible && !m_place.isPlain; }

    bool isWrongInvisible() const
    {
        if (isLabelOfBlanks())
            return false;
        if (m_place.isKey || isPath() || isNumber() || !m_hasVisible)
            return true;
        return !m_hasOtherScript && !m_hasWords;
    }

    bool isWrongBlank(size_t i) const
    {
        if (isLabelOfBlanks())
            return false;
        const bool isAtEnd = isAroundAll(i);
        if (isPath() || isNumber() || !m_hasVisible || (m_place.isKey && isAtEnd)
            || isStructural(i))
            return true;
        if (m_hasOtherScript || m_hasWords)
            return false;
        return isAtEnd || (m_place.isPlain && m_place.key != "hotword" && !isTypeset(i));
    }

    /// Nothing visible stands on one side of it.
    bool isAroundAll(size_t i) const
    {
        return !m_hasVisible || i <= m_firstVisible || i > m_lastVisible;
    }

    /// "lr:\u00a00.1", "-\u00a0item" and "1\u00a0# one": YAML saw no colon, dash or comment.
    bool isStructural(size_t i) const
    {
        const uint32_t before = i > m_begin ? codeAt(i - 1) : 0;
        return m_place.isPlain
            && (before == ':' || codeAt(i + 1) == '#'
                || (before == '-' && (i == m_begin + 1 || codeAt(i - 2) == '\n')));
    }

    /// As French has it before and after some of its signs.
    bool isTypeset(size_t i) const
    {
        constexpr std::u32string_view kBefore = U"!?:;%»€$";
        constexpr std::u32string_view kAfter = U"«–—";
        return kBefore.find(static_cast<char32_t>(codeAt(i + 1))) != std::u32string_view::npos
            || kAfter.find(static_cast<char32_t>(i > m_begin ? codeAt(i - 1) : 0))
            != std::u32string_view::npos;
    }

    std::string insteadOf(size_t i) const
    {
        if (isInvisible(m_points[i].code) || isAroundAll(i))
            return "";
        const uint32_t before = codeAt(i - 1);
        const uint32_t after = codeAt(i + 1);
        const bool isInNumber = isDigit(before) && isDigit(after);
        return isInNumber || m_place.isKey || isBlankOfAny(before) || isBlankOfAny(after) ? ""
                                                                                          : " ";
    }

    const std::vector<Point>& m_points;
    const TextPlace& m_place;
    size_t m_begin; ///< within quotes
    size_t m_end;
    bool m_hasSuspicious = false;
    bool m_hasVisible = false;
    size_t m_firstVisible = 0; ///< where there is one
    size_t m_lastVisible = 0;
    bool m_hasOtherScript = false;
    bool m_hasLetter = false;
    bool m_hasDigit = false;
    bool m_hasSlash = false;
    bool m_hasBlank = false; ///< an ASCII one behind something visible that is no comma
    bool m_hasWords = false; ///< with such a blank between them
};

bool isWordBegin(const std::vector<Point>& line, size_t i)
{
    return i == 0 || isBlankOfAny(line[i - 1].code);
}

/// The colon behind the line's key, 0 where it has none.
size_t keyEndIn(const std::vector<Point>& line)
{
    for (size_t i = 0; i < line.size() && !isQuote(line[i].code) && line[i].code != '#'; ++i) {
        const bool isEnd = i + 1 == line.size() || isBlankOfAny(line[i + 1].code);
        if (line[i].code == ':' && isEnd)
            return i;
    }
    return 0;
}

} // namespace

std::vector<Point> pointsOf(std::string_view text, size_t offset)
{
    std::vector<Point> points;
    for (size_t at = 0; at < text.size();) {
        const size_t length = codePointLength(text, at);
        points.push_back({ codeOf(text.substr(at, length)), offset + at, length });
        at += length;
    }
    return points;
}

std::vector<Suspect> suspectsIn(const std::vector<Point>& points, const TextPlace& place)
{
    return Reading(points, place).suspects();
}

std::vector<Suspect> structuralSuspectsIn(const std::vector<Point>& line)
{
    std::vector<Suspect> found;
    const size_t keyEnd = keyEndIn(line);
    bool isBegin = true; // nothing but blanks so far
    bool isInTag = false;
    uint32_t quote = 0;
    for (size_t i = 0; i < line.size(); ++i) {
        const uint32_t code = line[i].code;
        if (quote != 0 || (isQuote(code) && isWordBegin(line, i))) {
            quote = quote == 0 ? code : quote == code ? 0 : quote;
            isBegin = isInTag = false;
        } else if (isSuspicious(code)) {
            const uint32_t before = i > 0 ? line[i - 1].code : 0;
            const bool isAfterSign = before == ':' || before == '-';
            if (!isAtHome(line, i) && (isBegin || isInTag || isAfterSign || i < keyEnd))
                found.push_back(
                    { i, !isInvisible(code) && (isBegin || isInTag || isAfterSign) ? " " : "" });
        } else if (code == '#' && isWordBegin(line, i)) {
            break;
        } else if (code == ' ') {
            isInTag = false;
        } else {
            isBegin = false;
            isInTag
                = isInTag || (isWordBegin(line, i) && (code == '!' || code == '&' || code == '*'));
        }
    }
    return found;
}

} // namespace earwright::recipe
