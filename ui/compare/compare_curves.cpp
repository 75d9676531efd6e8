#include "ui/compare/compare_curves.h"

#include "ui/monitor/monitor_curves.h"
#include "ui/widgets/plot_colors.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

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

constexpr qsizetype kMostSingle = 8;
constexpr QRgb kBandColor = 0xff7f7f7f; // no run's alone

/// One for each run: the first of a colour, the second …
std::vector<Qt::PenStyle> dashesOf(const std::vector<CompareRun>& runs)
{
    std::vector<Qt::PenStyle> dashes;
    QHash<QRgb, int> seen;
    for (const CompareRun& run : runs)
        dashes.push_back(cycleDash(seen[run.color.rgb()]++));
    return dashes;
}

QString translatedLabel(const char* text)
{
    return QCoreApplication::translate("ComparePage", text);
}

/// Its latest that is a number.
std::optional<double> endOf(const PlotCurve& curve)
{
    const auto& points = curve.series->points();
    const auto found = std::find_if(points.rbegin(), points.rend(),
        [](const run::Point& point) { return std::isfinite(point.value); });
    return found == points.rend() ? std::nullopt : std::optional(found->value);
}

struct Ends {
    const PlotCurve* least = nullptr;
    const PlotCurve* greatest = nullptr;
};

Ends endsOf(const std::vector<PlotCurve>& curves)
{
    Ends ends;
    std::optional<double> least, greatest;
    for (const PlotCurve& curve : curves) {
        const std::optional<double> end = endOf(curve);
        if (end && (!least || *end < *least)) {
            least = end;
            ends.least = &curve;
        }
        if (end && (!greatest || *end > *greatest)) {
            greatest = end;
            ends.greatest = &curve;
        }
    }
    return ends;
}

PlotCurve named(const char* name, const QString& label, std::shared_ptr<const run::Series> series,
    const CurveOrigin& origin)
{
    PlotCurve curve;
    curve.name = QLatin1String(name);
    curve.label = label;
    curve.series = std::move(series);
    curve.origin = origin;
    curve.color = QColor::fromRgb(kBandColor);
    return curve;
}

std::vector<PlotCurve> banded(
    const std::vector<PlotCurve>& curves, const CurveBand::Lines& lines, const QStringList& single)
{
    const QString count = QLocale().toString(curves.size());
    std::vector<PlotCurve> drawn;
    drawn.push_back(named("band",
        translatedLabel(QT_TRANSLATE_NOOP("ComparePage", "%1 runs, least to greatest")).arg(count),
        lines.greatest, lines.origin));
    drawn.back().floor = lines.least;
    drawn.push_back(
        named("median", translatedLabel(QT_TRANSLATE_NOOP("ComparePage", "their median")),
            lines.median, lines.origin));
    const Ends ends = endsOf(curves);
    for (const PlotCurve& curve : curves) {
        PlotCurve own = curve;
        if (&curve == ends.least)
            own.label = translatedLabel(QT_TRANSLATE_NOOP("ComparePage", "%1 (ends least)"))
                            .arg(curve.label);
        else if (&curve == ends.greatest)
            own.label = translatedLabel(QT_TRANSLATE_NOOP("ComparePage", "%1 (ends greatest)"))
                            .arg(curve.label);
        else if (!single.contains(curve.name))
            continue;
        drawn.push_back(std::move(own));
    }
    return drawn;
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
    const std::vector<Qt::PenStyle> dashes = dashesOf(runs);
    for (const ComparedPlot& plot : kComparedPlots) {
        std::vector<PlotCurve>& curves = curvesOfPlots.emplace_back();
        for (size_t i = 0; i < runs.size(); ++i) {
            auto curve
                = curveOf({ runs[i].snapshot, plot.tag, runs[i].path, runs[i].color, dashes[i] });
            if (!curve)
                continue;
            curve->label = runs[i].name;
            curves.push_back(std::move(*curve));
        }
    }
    return curvesOfPlots;
}

std::vector<std::vector<PlotCurve>> DrawnCurves::of(
    const std::vector<CompareRun>& runs, XAxis axis, const QStringList& single)
{
    std::vector<std::vector<PlotCurve>> curvesOfPlots = compareCurves(runs);
    m_bands.resize(curvesOfPlots.size());
    const QStringList first = single.first(std::min(single.size(), kMostSingle));
    for (size_t i = 0; i < curvesOfPlots.size(); ++i) {
        std::vector<PlotCurve>& curves = curvesOfPlots[i];
        if (curves.size() > kMostCurves)
            curves = banded(curves, m_bands[i].of(curves, axis), first);
        else
            m_bands[i] = {};
    }
    return curvesOfPlots;
}

} // namespace earwright::ui
