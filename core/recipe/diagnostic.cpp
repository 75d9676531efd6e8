#include "core/recipe/diagnostic.h"

#include "core/base/text.h"
#include "core/recipe/source.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace earwright::recipe {
namespace {

std::string severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Info:
        break;
    }
    return "info";
}

std::string place(const Span& span)
{
    std::vector<std::string> parts;
    if (!span.file.empty())
        parts.push_back(span.file);
    if (span.begin.line > 0) {
        parts.push_back(std::to_string(span.begin.line));
        parts.push_back(std::to_string(span.begin.column));
    }
    return parts.empty() ? "" : join(parts, ":") + ": ";
}

/// Terminals give Chinese, Japanese and Korean characters and emoji two cells: all from U+1100, in
/// effect, that are three bytes long and begin with E1 84 or with E2 BA to ED, or are four bytes
/// long.
bool isWide(const std::string& point)
{
    if (point.size() == 4)
        return true;
    return point.size() == 3 && (point >= "\xe2\xba\x80" && point < "\xee\x80\x80");
}

/// As wide on a terminal as the text, tabs kept.
std::string blankLike(const std::string& point)
{
    if (point == "\t")
        return "\t";
    return isWide(point) ? "  " : " ";
}

std::string caretLine(std::string_view line, const Span& span)
{
    const std::vector<std::string> points = codePoints(line);
    const auto size = static_cast<int>(points.size());
    const int begin = std::clamp(span.begin.column - 1, 0, size);
    const int end = span.end.line == span.begin.line ? std::min(span.end.column - 1, size) : size;
    std::string text;
    for (int i = 0; i < begin; ++i)
        text += blankLike(points[static_cast<size_t>(i)]);
    text += '^';
    for (int i = begin; i < end; ++i)
        text += std::string(blankLike(points[static_cast<size_t>(i)]).size(), '~')
                    .substr(i == begin);
    return text;
}

/// The line with its caret; of a very long line the part around the place.
std::string shownLine(const SourceText& source, Span span)
{
    constexpr int kWidth = 240;
    constexpr int kBefore = 60;
    const int number = span.begin.line;
    std::string_view line = source.line(number);
    const int size = source.position(source.lineBegin(number) + line.size()).column - 1;
    if (size > kWidth) {
        const int before = std::clamp(span.begin.column - 1 - kBefore, 0, size - kWidth);
        const size_t begin = source.offset({ number, before + 1 });
        const size_t end = source.offset({ number, before + 1 + kWidth });
        line = source.text().substr(begin, end - begin);
        span.begin.column -= before;
        span.end.column -= before;
    }
    return "  " + std::string(line) + "\n  " + caretLine(line, span) + "\n";
}

nlohmann::ordered_json jsonOf(const Span& span)
{
    return { { "file", span.file }, { "line", span.begin.line }, { "column", span.begin.column },
        { "end_line", span.end.line }, { "end_column", span.end.column } };
}

nlohmann::ordered_json jsonOf(const Fix& fix)
{
    auto edits = nlohmann::ordered_json::array();
    for (const Edit& edit : fix.edits) {
        nlohmann::ordered_json json = jsonOf(edit.span);
        json["text"] = edit.text;
        edits.push_back(std::move(json));
    }
    return { { "title", fix.title }, { "edits", std::move(edits) } };
}

nlohmann::ordered_json jsonOf(const Diagnostic& diagnostic)
{
    nlohmann::ordered_json json { { "rule", diagnostic.rule },
        { "severity", severityName(diagnostic.severity) }, { "message", diagnostic.message } };
    json.update(jsonOf(diagnostic.span));
    json["fix"] = diagnostic.fix ? jsonOf(*diagnostic.fix) : nlohmann::ordered_json(nullptr);
    json["other_fixes"] = nlohmann::ordered_json::array();
    for (const Fix& fix : diagnostic.otherFixes)
        json["other_fixes"].push_back(jsonOf(fix));
    return json;
}

} // namespace

bool hasErrors(const std::vector<Diagnostic>& diagnostics)
{
    return std::any_of(diagnostics.begin(), diagnostics.end(),
        [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::Error; });
}

Status firstError(const std::vector<Diagnostic>& diagnostics)
{
    for (const Diagnostic& one : diagnostics)
        if (one.severity == Severity::Error)
            return Error { one.span.file + ":" + std::to_string(one.span.begin.line) + ": "
                + one.message };
    return Done {};
}

std::vector<Fix> fixesOf(const Diagnostic& diagnostic)
{
    std::vector<Fix> fixes;
    if (diagnostic.fix)
        fixes.push_back(*diagnostic.fix);
    fixes.insert(fixes.end(), diagnostic.otherFixes.begin(), diagnostic.otherFixes.end());
    return fixes;
}

std::string formatDiagnostic(const Diagnostic& diagnostic, std::string_view sourceText)
{
    return formatDiagnostic(diagnostic, SourceText(sourceText));
}

std::string formatDiagnostic(const Diagnostic& diagnostic, const SourceText& source)
{
    std::string text = place(diagnostic.span) + severityName(diagnostic.severity) + ": "
        + diagnostic.message + " [" + diagnostic.rule + "]\n";
    if (!trim(source.line(diagnostic.span.begin.line)).empty())
        text += shownLine(source, diagnostic.span);
    if (diagnostic.fix)
        text += "  fix: " + diagnostic.fix->title + "\n";
    for (const Fix& fix : diagnostic.otherFixes)
        text += "  or: " + fix.title + "\n";
    return text;
}

std::string diagnosticsToJson(const std::vector<Diagnostic>& diagnostics)
{
    auto list = nlohmann::ordered_json::array();
    for (const Diagnostic& diagnostic : diagnostics)
        list.push_back(jsonOf(diagnostic));
    const nlohmann::ordered_json json { { "diagnostics", std::move(list) } };
    // A file name need not be UTF-8; a broken byte in it must not stop the report.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string applyFix(std::string_view text, const Fix& fix)
{
    const SourceText source(text);
    std::vector<Edit> edits = fix.edits;
    std::stable_sort(edits.begin(), edits.end(),
        [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
    std::string result;
    size_t copied = 0; // of the text
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
        const size_t begin = std::max(copied, source.offset(edit->span.begin));
        result.append(text.substr(copied, begin - copied)).append(edit->text);
        copied = std::max(begin, source.offset(edit->span.end));
    }
    return result.append(text.substr(copied));
}

} // namespace earwright::recipe
