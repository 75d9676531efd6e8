#include "ui/compare/run_figures.h"

#include "core/run/test_scores.h"
#include "ui/runs/run_state.h"

namespace earwright::ui {

namespace {

/// Nothing of texts without blanks, each of which is one word.
std::optional<double> wordsWrong(const run::Evaluated& scores)
{
    return scores.rate == "CER" ? std::nullopt : std::optional(scores.wer);
}

} // namespace

RunFigures figuresOf(const run::Snapshot& snapshot)
{
    RunFigures figures;
    const QString precision = QString::fromStdString(snapshot.started.precision);
    const QString evaluated = QString::fromStdString(snapshot.started.evalPrecision);
    figures.state = snapshot.state;
    figures.precision = evaluated.isEmpty() || evaluated == precision
        ? precision
        : precision + QStringLiteral(" → ") + evaluated;
    figures.proof = precisionProof(snapshot, "train");
    figures.devices = devicesText(snapshot.started.devices);
    figures.steps = static_cast<double>(snapshot.step);
    figures.itPerSecond = typicalSpeed(snapshot);
    figures.trainLoss = latestValue(snapshot, "train/loss");
    figures.validLoss = latestValue(snapshot, "valid/loss");
    figures.peakMemory = peakMemoryBytes(snapshot);
    if (const auto best = bestValidation(snapshot)) {
        figures.validWer = wordsWrong(*best);
        figures.validCer = best->cer;
        figures.validHotwords = hotwordsOf(snapshot, *best, Phrases::All);
        figures.validUnseen = hotwordsOf(snapshot, *best, Phrases::Unseen);
    }
    if (const auto tests = run::testScores(snapshot); !tests.empty()) {
        figures.testWer = wordsWrong(tests.front());
        figures.testCer = tests.front().cer;
        if (figures.testWer)
            figures.testWerInterval = intervalText(run::intervalOf(snapshot, tests.front(), "WER"));
        figures.testCerInterval = intervalText(run::intervalOf(snapshot, tests.front(), "CER"));
        figures.testHotwords = hotwordsOf(snapshot, tests.front(), Phrases::All);
        figures.testUnseen = hotwordsOf(snapshot, tests.front(), Phrases::Unseen);
    }
    return figures;
}

} // namespace earwright::ui
