#include "core/recipe/invisible.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/recipe/limits.h"
#include "core/recipe/visible_text.h"

#include <algorithm>
#include <set>

namespace earwright::recipe {
namespace {

constexpr size_t kLongestText = size_t { 1 } << 16; ///< that is looked at by its characters
constexpr int kLinesAbove = 1000;

bool hasSuspect(std::string_view text)
{
    for (size_t at = 0; at < text.size();) {
        const size_t length = codePointLength(text, at);
        const uint32_t code = length > 1 ? codeOf(text.substr(at, length)) : ' ';
        if (length > 1 && (isInvisible(code) || isOtherBlank(code)))
            return true;
        at += length;
    }
    return false;
}

/// Lines above that a line may be indented like, none deeper than the one before it.
std::set<size_t> indentsAbove(const SourceText& source, int line)
{
    std::set<size_t> indents;
    for (int above = line - 1; above >= std::max(1, line - kLinesAbove); --above) {
        const std::string_view text = trim(source.line(above));
        if (text.empty() || text[0] == '#')
            continue;
        const size_t indent = source.line(above).find_first_not_of(" -");
        if (indents.empty() || indent < *indents.begin())
            indents.insert(indent);
        if (indent == 0)
            break;
    }
    return indents;
}

/// Spaces in place of blanks that a line begins with: as many where that fits the lines above.
size_t fittingIndent(const SourceText& source, int line, size_t width)
{
    int above = line - 1;
    while (above >= 1 && trim(source.line(above)).empty())
        --above;
    const std::set<size_t> indents = indentsAbove(source, line);
    const bool opensBlock = above >= 1 && trim(source.line(above)).ends_with(':');
    if (indents.empty() || (opensBlock && width > *indents.rbegin()))
        return indents.empty() ? 0 : width;
    const auto next = indents.upper_bound(width);
    return next == indents.begin() ? *indents.begin() : *std::prev(next);
}

class Reporter final {
public:
    Reporter(const SourceText& source, const std::string& file)
        : m_source(source)
        , m_file(file)
    {
    }

    /// `where`: "line 3". Each stands at an offset of the source.
    void report(const std::vector<Point>& points, const std::vector<Suspect>& suspects,
        const std::string& where)
    {
        if (suspects.empty() || found.size() >= kMaxDiagnostics
            || !m_reported.insert(points[suspects.front().at].offset).second)
            return;
        const Point& first = points[suspects.front().at];
        std::string message = characterName(first.code) + " stands in " + where;
        if (suspects.size() > 1)
            message += ", and " + std::to_string(suspects.size() - 1) + " more like it";
        Fix fix { "Replace what cannot be seen", {} };
        for (const Suspect& suspect : suspects) {
            const size_t begin = points[suspect.at].offset;
            const size_t end = begin + points[suspect.at].length;
            fix.edits.push_back({ m_source.span(m_file, begin, end), suspect.instead });
        }
        const bool isIndented = indent(points, suspects, fix);
        const bool isBlank = !suspects.front().instead.empty();
        message += isIndented ? "; indent by spaces" : isBlank ? "; write a space" : "; remove it";
        found.push_back({ Severity::Error, "invisible-character", std::move(message),
            fix.edits.front().span, std::move(fix) });
    }

    std::vector<Diagnostic> found;

private:
    /// What a line begins with is replaced as a whole: as many spaces might fit nothing above.
    /// Whether spaces take its place.
    bool indent(const std::vector<Point>& points, const std::vector<Suspect>& suspects, Fix& fix)
    {
        const size_t at = points[suspects.front().at].offset;
        const int line = m_source.position(at).line;
        const std::string_view before
            = m_source.text().substr(m_source.lineBegin(line), at - m_source.lineBegin(line));
        if (before.find_first_not_of(' ') != std::string_view::npos)
            return false;
        size_t width = before.size();
        size_t count = 0; // of suspects in the indentation
        size_t end = at;
        for (size_t i = suspects.front().at; i < points.size(); ++i) {
            const bool isSuspect = count < suspects.size() && suspects[count].at == i;
            if (!isSuspect && points[i].code != ' ')
                break;
            width += isInvisible(points[i].code) ? 0 : 1;
            count += isSuspect ? 1 : 0;
            end = points[i].offset + points[i].length;
        }
        const std::string spaces(fittingIndent(m_source, line, width), ' ');
        fix.edits.erase(fix.edits.begin(), fix.edits.begin() + static_cast<std::ptrdiff_t>(count));
        fix.edits.insert(
            fix.edits.begin(), { m_source.span(m_file, m_source.lineBegin(line), end), spaces });
        return !spaces.empty();
    }

    const SourceText& m_source;
    const std::string& m_file;
    std::set<size_t> m_reported;
};

class TreeSearch final {
public:
    TreeSearch(const SourceText& source, const std::string& file)
        : m_source(source)
        , m_reporter(source, file)
    {
        for (int number = 1; number <= source.lineCount(); ++number) {
            if (hasSuspect(source.line(number)))
                m_lines.insert(number);
        }
    }

    void search(const Node& node, const std::string& key)
    {
        if (!m_seen.insert(&node).second)
            return;
        if (node.kind == Kind::Scalar)
            return searchScalar(node, { key, false });
        for (const NodePtr& item : node.items)
            search(*item, key);
        for (const Entry& entry : node.entries) {
            if (entry.key->kind == Kind::Scalar && m_seen.insert(entry.key.get()).second)
                searchScalar(*entry.key, { "", true });
            search(*entry.value, entry.key->text);
        }
    }
    std::vector<Diagnostic> found() { return std::move(m_reporter.found); }

private:
    void searchScalar(const Node& node, TextPlace place)
    {
        const auto line = m_lines.lower_bound(node.span.begin.line);
        if (line == m_lines.end() || *line > node.span.end.line)
            return;
        const std::string_view text = m_source.text();
        const size_t content = skipProperties(text, m_source.offset(node.span.begin)).content;
        const size_t end = m_source.offset(node.span.end);
        if (content >= end || end - content > kLongestText)
            return;
        const std::vector<Point> points = pointsOf(text.substr(content, end - content), content);
        place.isPlain = node.style == ScalarStyle::Plain;
        place.isReference = node.tag == "!ref" || node.tag == "!copy";
        m_reporter.report(points, suspectsIn(points, place), whereOf(points, place));
    }
    static std::string whereOf(const std::vector<Point>& points, const TextPlace& place)
    {
        if (!place.isKey)
            return place.key.empty() ? "this value" : "the value of " + inQuotes(place.key);
        std::string name;
        for (const Point& point : points) {
            if (!isInvisible(point.code) && !isOtherBlank(point.code))
                name += utf8Of(point.code);
        }
        return "the key " + inQuotes(trim(name));
    }

    const SourceText& m_source;
    Reporter m_reporter;
    std::set<int> m_lines; ///< those with a suspect
    std::set<const Node*> m_seen;
};

} // namespace

std::vector<Diagnostic> invisibleIn(
    const Node& root, const std::string& key, const SourceText& source, const std::string& file)
{
    if (!hasSuspect(source.text()))
        return {};
    TreeSearch search(source, file);
    search.search(root, key);
    return search.found();
}

std::vector<Diagnostic> invisibleInBroken(const SourceText& source, const std::string& file)
{
    Reporter reporter(source, file);
    for (int number = 1; number <= source.lineCount(); ++number) {
        const std::string_view line = source.line(number);
        if (line.size() > kLongestText || !hasSuspect(line))
            continue;
        const std::vector<Point> points = pointsOf(line, source.lineBegin(number));
        reporter.report(points, structuralSuspectsIn(points), "line " + std::to_string(number));
    }
    return std::move(reporter.found);
}

std::string invisibleInName(std::string_view name)
{
    const std::vector<Point> points = pointsOf(name, 0);
    const std::vector<Suspect> suspects = suspectsIn(points, { "", true });
    return suspects.empty()
        ? ""
        : characterName(points[suspects.front().at].code) + " stands in it; remove it";
}

} // namespace earwright::recipe
