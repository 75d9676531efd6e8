#include "ui/compare/compare_curves.h"

#include "ui/monitor/monitor_curves.h"
#include "ui/widgets/plot_colors.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace earwright::ui {

namespace {

struct ComparedPlot {
    const char* id;
    const char* tag;
    const char* title;
    const char* unit;
    bool isHiddenWhenEmpty = false;
};
constexpr std::array kComparedPlots {
    ComparedPlot { "trainLoss", "train/loss", QT_TRANSLATE_NOOP("ComparePage", "Train loss"),
        QT_TRANSLATE_NOOP("ComparePage", "nats") },
    ComparedPlot { "validLoss", "valid/loss", QT_TRANSLATE_NOOP("ComparePage", "Valid loss"),
        QT_TRANSLATE_NOOP("ComparePage", "nats") },
    ComparedPlot { "validWer", "valid/WER", QT_TRANSLATE_NOOP("ComparePage", "Valid WER"), "%",
        true }, // texts without blanks have none
    ComparedPlot { "validCer", "valid/CER", QT_TRANSLATE_NOOP("ComparePage", "Valid CER"), "%" },
    ComparedPlot { "validHotwordRecall", "valid/hotword_recall",
        QT_TRANSLATE_NOOP("ComparePage", "Valid hotword recall"), "%", true },
    ComparedPlot { "validHotwordPrecision", "valid/hotword_precision",
        QT_TRANSLATE_NOOP("ComparePage", "Valid hotword precision"), "%", true },
    ComparedPlot { "validHotwordF1", "valid/hotword_F1",
        QT_TRANSLATE_NOOP("ComparePage", "Valid hotword F1"), "%", true },
    ComparedPlot { "validUnseenRecall", "valid/unseen_hotword_recall",
        QT_TRANSLATE_NOOP("ComparePage", "Valid recall of unseen hotwords"), "%", true },
    ComparedPlot { "validUnseenPrecision", "valid/unseen_hotword_precision",
        QT_TRANSLATE_NOOP("ComparePage", "Valid precision of unseen hotwords"), "%", true },
    ComparedPlot { "validUnseenF1", "valid/unseen_hotword_F1",
        QT_TRANSLATE_NOOP("ComparePage", "Valid F1 of unseen hotwords"), "%", true },
};

Qt::PenStyle dashOf(const std::vector<CompareRun>& runs, size_t index)
{
    const auto end = runs.begin() + static_cast<std::ptrdiff_t>(index);
    const auto hasSameColor = [&](const CompareRun& run) { return run.color == runs[index].color; };
    return cycleDash(static_cast<int>(std::count_if(runs.begin(), end, hasSameColor)));
}

} // namespace

std::vector<PlotSpec> comparePlots()
{
    std::vector<PlotSpec> specs;
    for (const ComparedPlot& plot : kComparedPlots) {
        specs.push_back(
            { QString::fromLatin1(plot.id), QCoreApplication::translate("ComparePage", plot.title),
                QCoreApplication::translate("ComparePage", plot.unit), plot.isHiddenWhenEmpty });
    }
    return specs;
}

std::vector<std::vector<PlotCurve>> compareCurves(const std::vector<CompareRun>& runs)
{
    std::vector<std::vector<PlotCurve>> curvesOfPlots;
    for (const ComparedPlot& plot : kComparedPlots) {
        std::vector<PlotCurve>& curves = curvesOfPlots.emplace_back();
        for (size_t i = 0; i < runs.size(); ++i) {
            auto curve = curveOf(
                { runs[i].snapshot, plot.tag, runs[i].path, runs[i].color, dashOf(runs, i) });
            if (!curve)
                continue;
            curve->label = runs[i].name;
            curves.push_back(std::move(*curve));
        }
    }
    return curvesOfPlots;
}

} // namespace earwright::ui
