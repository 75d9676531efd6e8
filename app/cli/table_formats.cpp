#include "app/cli/table_formats.h"

#include "app/cli/progress.h"
#include "core/base/sheet_text.h"
#include "core/base/text.h"

#include <cstdio>
#include <string_view>

namespace earwright::cli {

namespace {

using TableRow = std::vector<std::string>;

/// What LaTeX reads as the letter.
std::string latexSign(char letter)
{
    switch (letter) {
    case '&':
    case '%':
    case '$':
    case '#':
    case '_':
    case '{':
    case '}':
        return std::string("\\") + letter;
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    default:
        return std::string(1, letter);
    }
}

std::string latexText(const std::string& text)
{
    std::string result;
    for (const char letter : text)
        result += latexSign(letter);
    return result;
}

/// '|' would end a cell, '<' begin a tag, and a backslash be taken for ours.
std::string markdownText(const std::string& text)
{
    constexpr std::string_view kSigns = "\\|<*_`[";
    std::string result;
    for (const char letter : text)
        result
            += (kSigns.find(letter) == std::string_view::npos ? "" : "\\") + std::string(1, letter);
    return result;
}

/// The cells of a row, each as `cell` makes it.
std::string joined(
    const TableRow& row, std::string (*cell)(const std::string&), const std::string& between)
{
    TableRow cells;
    for (const std::string& text : row)
        cells.push_back(cell(text));
    return join(cells, between);
}

std::string markdown(const std::vector<TableRow>& rows)
{
    std::string text;
    for (const TableRow& row : rows) {
        text += "| " + joined(row, markdownText, " | ") + " |\n";
        if (&row == &rows.front())
            text += "|" + join(TableRow(row.size(), "---"), "|") + "|\n";
    }
    return text;
}

std::string csv(const std::vector<TableRow>& rows)
{
    std::string text;
    for (const TableRow& row : rows)
        text += joined(
                    row, [](const std::string& cell) { return sheetField(cell); }, ",")
            + "\n";
    return text;
}

std::string latex(const std::vector<TableRow>& rows)
{
    std::string text = "\\begin{tabular}{" + std::string(rows.front().size(), 'l') + "}\n\\hline\n";
    for (const TableRow& row : rows) {
        text += joined(row, latexText, " & ") + " \\\\\n";
        if (&row == &rows.front())
            text += "\\hline\n";
    }
    return text + "\\hline\n\\end{tabular}\n";
}

} // namespace

std::string formatted(const char* pattern, double value)
{
    char text[40];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

const Names& tableFormats()
{
    static const Names kFormats { "text", "markdown", "csv", "latex" };
    return kFormats;
}

std::string tableAs(const std::string& format, const std::vector<TableRow>& rows)
{
    return format == "markdown" ? markdown(rows)
        : format == "csv"       ? csv(rows)
        : format == "latex"     ? latex(rows)
                                : table(rows);
}

std::string notesAs(const std::string& format, const std::vector<std::string>& notes)
{
    if (format == "csv" || notes.empty())
        return "";
    std::string text = "\n";
    for (const std::string& note : notes)
        text += format == "markdown" ? "- " + markdownText(note) + "\n"
            : format == "latex"      ? latexText(note) + "\n\n"
                                     : note + "\n";
    return text;
}

} // namespace earwright::cli
