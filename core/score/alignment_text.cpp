#include "core/score/error_rate.h"

#include "core/base/text.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace earwright::score {
namespace {

constexpr const char* kNothing = "<eps>";

/// Python's str.center: widths in code points, an odd blank goes left where the width is odd.
std::string centre(const std::string& text, size_t width)
{
    const size_t pad = width - codePointCount(text);
    const size_t left = pad / 2 + (pad & width & 1);
    return std::string(left, ' ') + text + std::string(pad - left, ' ');
}

struct Column {
    std::string reference;
    std::string operation;
    std::string hypothesis;
};

std::vector<Column> columns(const Scored& scored)
{
    std::vector<Column> result;
    size_t reference = 0;
    size_t hypothesis = 0;
    for (const char operation : scored.operations) {
        Column column { kNothing, std::string(1, operation), kNothing };
        if (operation != 'I')
            column.reference = scored.reference[reference++];
        if (operation != 'D')
            column.hypothesis = scored.hypothesis[hypothesis++];
        result.push_back(std::move(column));
    }
    return result;
}

std::string threeLines(const std::vector<Column>& alignment)
{
    std::vector<std::string> lines[3];
    for (const Column& column : alignment) {
        const size_t width = std::max({ codePointCount(column.reference),
            codePointCount(column.operation), codePointCount(column.hypothesis) });
        lines[0].push_back(centre(column.reference, width));
        lines[1].push_back(centre(column.operation, width));
        lines[2].push_back(centre(column.hypothesis, width));
    }
    std::string text;
    for (const std::vector<std::string>& line : lines)
        text += join(line, " ; ") + "\n";
    return text;
}

/// "%WER 33.33 [ 2 / 6, 0 ins, 1 del, 1 sub ]"
std::string totalsLine(
    double percent, int64_t tokens, int64_t insertions, int64_t deletions, int64_t substitutions)
{
    char text[200];
    std::snprintf(text, sizeof text,
        "%%WER %.2f [ %" PRId64 " / %" PRId64 ", %" PRId64 " ins, %" PRId64 " del, %" PRId64
        " sub ]\n",
        percent, insertions + deletions + substitutions, tokens, insertions, deletions,
        substitutions);
    return text;
}

std::string summaryText(const ErrorRate& sum)
{
    const double wrongPercent = sum.sentences == 0
        ? 0
        : 100 * static_cast<double>(sum.wrongSentences) / static_cast<double>(sum.sentences);
    char sentences[200];
    std::snprintf(sentences, sizeof sentences,
        "%%SER %.2f [ %" PRId64 " / %" PRId64 " ]\nScored %" PRId64
        " sentences, 0 not present in hyp.\n",
        wrongPercent, sum.wrongSentences, sum.sentences, sum.sentences);
    return totalsLine(sum.percent(), sum.tokens, sum.insertions, sum.deletions, sum.substitutions)
        + sentences;
}

/// Upstream explains its format with this example.
std::string legend()
{
    Scored example = score("", { "reference", "on", "the", "first", "line" },
        { "and", "hypothesis", "on", "the", "third" });
    example.operations = "IS==SD";
    return "ALIGNMENTS\n\nFormat:\n<utterance-id>, WER DETAILS\n" + threeLines(columns(example));
}

std::string sentenceText(const Scored& scored)
{
    const int64_t tokens = scored.tokens();
    const double percent = 100 * static_cast<double>(scored.edits())
        / static_cast<double>(std::max<int64_t>(1, tokens));
    return scored.id + ", "
        + totalsLine(percent, tokens, scored.insertions, scored.deletions, scored.substitutions)
        + threeLines(columns(scored));
}

} // namespace

std::string rateLine(const ErrorRate& sum)
{
    std::string line
        = totalsLine(sum.percent(), sum.tokens, sum.insertions, sum.deletions, sum.substitutions);
    line.pop_back();
    return line;
}

std::string alignmentText(const std::vector<Scored>& scored)
{
    std::string text = summaryText(summarise(scored)) + kRule + legend();
    for (const Scored& one : scored)
        text += kRule + sentenceText(one);
    return text;
}

} // namespace earwright::score
