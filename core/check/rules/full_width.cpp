#include "core/base/cjk.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/recipe/source.h"

#include <algorithm>
#include <map>

namespace earwright::check::rules {

using recipe::Severity;

namespace {

/// What an input method types instead of the ASCII signs that YAML and HyperPyYAML know.
const std::map<std::string, std::string>& asciiOf()
{
    static const std::map<std::string, std::string> table { { "：", ":" }, { "，", "," },
        { "、", "," }, { "；", ";" }, { "。", "." }, { "．", "." }, { "（", "(" }, { "）", ")" },
        { "［", "[" }, { "］", "]" }, { "【", "[" }, { "】", "]" }, { "｛", "{" }, { "｝", "}" },
        { "＜", "<" }, { "＞", ">" }, { "《", "<" }, { "》", ">" }, { "“", "\"" }, { "”", "\"" },
        { "‘", "'" }, { "’", "'" }, { "＂", "\"" }, { "＇", "'" }, { "！", "!" }, { "＃", "#" },
        { "－", "-" }, { "＿", "_" }, { "／", "/" }, { "＊", "*" }, { "＋", "+" }, { "＝", "=" },
        { "＆", "&" }, { "｜", "|" }, { "％", "%" }, { "０", "0" }, { "１", "1" }, { "２", "2" },
        { "３", "3" }, { "４", "4" }, { "５", "5" }, { "６", "6" }, { "７", "7" }, { "８", "8" },
        { "９", "9" } };
    return table;
}

bool isKeyCharacter(const std::string& point)
{
    const char c = point[0];
    return point.size() == 1
        && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
            || c == '-' || c == '.' || c == ' ' || c == '[' || c == '{' || c == ',');
}

/// One line of the recipe outside its comment, by code points.
struct Line {
    std::vector<std::string> points;
    size_t valueBegin = 0; ///< after the key's colon, of either kind; 0 where there is none
    bool isKeyColonWide = false;
};

/// The text before a comment. Quotes end where they began.
std::vector<std::string> withoutComment(std::string_view text)
{
    std::vector<std::string> points = codePoints(text);
    char quote = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        const char c = points[i][0];
        const bool beginsWord = i == 0 || points[i - 1] == " ";
        if (quote == 0 && c == '#' && beginsWord) {
            points.resize(i);
            break;
        }
        if (quote == 0 && (c == '"' || c == '\'') && (beginsWord || points[i - 1] == "["))
            quote = c;
        else if (quote == c)
            quote = 0;
    }
    return points;
}

Line readLine(std::string_view text)
{
    Line line { withoutComment(text), 0, false };
    for (size_t i = 0; i < line.points.size(); ++i) {
        const std::string& point = line.points[i];
        const bool isColon
            = point == ":" && (i + 1 == line.points.size() || line.points[i + 1] == " ");
        if (isColon || point == "：") {
            line.valueBegin = i + 1;
            line.isKeyColonWide = !isColon;
            break;
        }
        if (!isKeyCharacter(point))
            break;
    }
    return line;
}

/// Places of the line where a sign stands for its ASCII one: the key's colon, and everything in a
/// value that no text with ideographs and no quotes hold.
std::vector<size_t> widePlaces(const Line& line)
{
    std::vector<size_t> places;
    if (line.isKeyColonWide)
        places.push_back(line.valueBegin - 1);
    char quote = 0;
    for (size_t i = line.valueBegin; i < line.points.size(); ++i) {
        const std::string& point = line.points[i];
        if (isCjkLetter(point)) // a text that somebody wrote
            return line.isKeyColonWide ? std::vector<size_t> { line.valueBegin - 1 }
                                       : std::vector<size_t> {};
        if (quote == 0 && (point == "\"" || point == "'"))
            quote = point[0];
        else if (quote != 0 && point[0] == quote)
            quote = 0;
        else if (quote == 0 && asciiOf().contains(point))
            places.push_back(i);
    }
    return places;
}

recipe::Fix replaceAll(const Line& line, const std::vector<size_t>& places, recipe::Span span)
{
    recipe::Fix fix { "Replace by ASCII signs", {} };
    for (const size_t at : places) {
        const bool isColon = line.isKeyColonWide && at + 1 == line.valueBegin;
        const bool needsSpace = (isColon || line.points[at] == "，" || line.points[at] == "、")
            && at + 1 < line.points.size() && line.points[at + 1] != " ";
        span.begin.column = static_cast<int>(at) + 1;
        span.end.column = span.begin.column + 1;
        fix.edits.push_back({ span, asciiOf().at(line.points[at]) + (needsSpace ? " " : "") });
    }
    return fix;
}

void reportLine(const std::string& fileName, const Line& line, const std::vector<size_t>& places,
    int number, Diagnostics& found)
{
    const std::string& sign = line.points[places.front()];
    const int column = static_cast<int>(places.front()) + 1;
    const recipe::Span span { fileName, { number, column }, { number, column + 1 } };
    const std::string ascii = asciiOf().at(sign);
    const Severity severity = line.isKeyColonWide ? Severity::Error : Severity::Warning;
    report(found, severity, "full-width",
        "'" + sign + "' is a full-width sign and has no meaning in a recipe; write '" + ascii + "'",
        span)
        .fix
        = replaceAll(line, places, span);
}

/// "text: |" and "- >-": the deeper lines that follow are a text.
bool beginsBlock(const Line& line)
{
    std::string text = join(line.points, "");
    while (text.ends_with(' '))
        text.pop_back();
    const size_t at = text.find_last_of("|>");
    return at != std::string::npos && at > 0 && text[at - 1] == ' '
        && text.find_first_not_of("+-123456789", at + 1) == std::string::npos;
}

} // namespace

void fullWidth(const Request& request, Diagnostics& found)
{
    const recipe::SourceText source(request.text);
    std::optional<size_t> block; // indentation of the line that began a block text
    for (int number = 1; number <= source.lineCount(); ++number) {
        const std::string_view text = source.line(number);
        if (trim(text).empty() || (block && indentation(text) > *block))
            continue;
        constexpr size_t kLongestLine = size_t { 1 } << 16; // each character is made a text below
        block.reset();
        if (text.size() > kLongestLine)
            continue;
        const bool isAscii = earwright::isAscii(text);
        constexpr size_t kNone = std::string_view::npos;
        if (isAscii && text.find(" |") == kNone && text.find(" >") == kNone)
            continue; // neither a wide sign nor a block's begin
        const Line line = readLine(text);
        if (beginsBlock(line))
            block = indentation(text);
        const std::vector<size_t> places = isAscii ? std::vector<size_t> {} : widePlaces(line);
        if (!places.empty())
            reportLine(request.fileName, line, places, number, found);
    }
}

} // namespace earwright::check::rules
