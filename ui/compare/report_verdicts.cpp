#include "ui/compare/report_verdicts.h"

#include "core/run/run_verdict.h"
#include "core/run/test_scores.h"
#include "ui/widgets/theme.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr int kVerdictSize = 13;
constexpr int kBetweenVerdicts = 6; ///< two sentences
constexpr int kBelowVerdicts = 12; ///< the last one

Result<run::EvaluatedTexts> evaluatedTexts(const CompareRun& run, const std::string& split)
{
    const run::RunFolder folder { run.path.toStdString() };
    const Result<plan::Plan> plan = run::readPlan(folder);
    if (!plan)
        return plan.error();
    Result<run::EvaluatedTexts> texts = run::readTexts(folder, *run.snapshot, split);
    if (texts) {
        texts->name = run.name.toStdString();
        texts->wordSplit = score::wordSplitOf(plan->options.splitWords);
    }
    return texts;
}

/// Of one run and split, or why there is no verdict.
QString sentenceOf(
    const Result<run::EvaluatedTexts>& first, const CompareRun& run, const std::string& split)
{
    const auto without = [&](const Error& error) {
        return QString::fromStdString(
            split + ", " + run.name.toStdString() + ": no verdict: " + error.message);
    };
    if (!first)
        return without(first.error());
    const Result<run::EvaluatedTexts> second = evaluatedTexts(run, split);
    if (!second)
        return without(second.error());
    const Result<score::Verdict> verdict = run::verdictOf(*first, *second);
    return verdict ? QString::fromStdString(run::verdictLine(*first, *second, *verdict))
                   : without(verdict.error());
}

/// Those that are compared.
std::vector<std::string> comparedSplits(const run::Snapshot& snapshot)
{
    std::vector<std::string> splits;
    for (const run::Evaluated& test : run::testScores(snapshot))
        splits.push_back(test.split);
    if (splits.empty() && !snapshot.evaluations.empty())
        splits.emplace_back("valid");
    return splits;
}

QFont verdictFont(QFont font)
{
    font.setPixelSize(kVerdictSize);
    return font;
}

QRect sentencePlace(const QFontMetrics& metrics, const QString& sentence, int pageWidth)
{
    return metrics.boundingRect(0, 0, pageWidth, 10000, Qt::TextWordWrap, sentence);
}

} // namespace

QStringList reportVerdicts(const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    const auto isBaseline = [&](const CompareRun& run) { return run.path == baselinePath; };
    auto baseline = std::find_if(runs.begin(), runs.end(), isBaseline);
    if (baseline == runs.end())
        baseline = runs.begin();
    QStringList sentences;
    if (baseline == runs.end() || !baseline->snapshot)
        return sentences;
    for (const std::string& split : comparedSplits(*baseline->snapshot)) {
        const Result<run::EvaluatedTexts> first = evaluatedTexts(*baseline, split);
        for (const CompareRun& run : runs) {
            if (&run != &*baseline && run.snapshot)
                sentences << sentenceOf(first, run, split);
        }
    }
    return sentences;
}

int verdictsHeight(const QStringList& verdicts, int pageWidth)
{
    if (verdicts.isEmpty())
        return 0;
    const QFontMetrics metrics(verdictFont(QGuiApplication::font()));
    int height = kBelowVerdicts;
    for (const QString& sentence : verdicts)
        height += sentencePlace(metrics, sentence, pageWidth).height() + kBetweenVerdicts;
    return height;
}

void paintVerdicts(QPainter& painter, const QStringList& verdicts, int pageWidth)
{
    painter.save();
    const QFont font = verdictFont(QGuiApplication::font());
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(lightPalette().color(QPalette::Text));
    int top = 0;
    for (const QString& sentence : verdicts) {
        const int height = sentencePlace(metrics, sentence, pageWidth).height();
        painter.drawText(QRect(0, top, pageWidth, height), Qt::TextWordWrap, sentence);
        top += height + kBetweenVerdicts;
    }
    painter.restore();
}

} // namespace earwright::ui
