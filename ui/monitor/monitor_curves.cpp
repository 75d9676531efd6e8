#include "ui/monitor/monitor_curves.h"

#include "ui/widgets/plot_colors.h"

#include <QCoreApplication>

namespace earwright::ui {

namespace {

struct Tag {
    const char* tag;
    const char* label;
    int color; ///< 0 = the run's
};

struct MonitorPlot {
    const char* id;
    const char* title;
    const char* unit;
    bool isHiddenWhenEmpty;
    std::vector<Tag> tags;
};

const std::vector<MonitorPlot>& allPlots()
{
    static const std::vector<MonitorPlot> kPlots {
        { "loss", QT_TRANSLATE_NOOP("MonitorPage", "Loss"),
            QT_TRANSLATE_NOOP("MonitorPage", "nats"), false,
            { { "train/loss", QT_TRANSLATE_NOOP("MonitorPage", "train"), 0 },
                { "valid/loss", QT_TRANSLATE_NOOP("MonitorPage", "valid"), 1 } } },
        { "errors", QT_TRANSLATE_NOOP("MonitorPage", "Error rate"),
            QT_TRANSLATE_NOOP("MonitorPage", "%"), false,
            { { "valid/WER", QT_TRANSLATE_NOOP("MonitorPage", "valid WER"), 0 },
                { "valid/CER", QT_TRANSLATE_NOOP("MonitorPage", "valid CER"), 1 },
                { "test/WER", QT_TRANSLATE_NOOP("MonitorPage", "test WER"), 2 },
                { "test/CER", QT_TRANSLATE_NOOP("MonitorPage", "test CER"), 3 } } },
        { "hotwords", QT_TRANSLATE_NOOP("MonitorPage", "Hotwords"),
            QT_TRANSLATE_NOOP("MonitorPage", "%"), true,
            { { "valid/hotword_recall", QT_TRANSLATE_NOOP("MonitorPage", "recall"), 0 },
                { "valid/hotword_precision", QT_TRANSLATE_NOOP("MonitorPage", "precision"), 1 },
                { "valid/hotword_F1", QT_TRANSLATE_NOOP("MonitorPage", "F1"), 2 } } },
        { "unseenHotwords", QT_TRANSLATE_NOOP("MonitorPage", "Hotwords unseen in training"),
            QT_TRANSLATE_NOOP("MonitorPage", "%"), true,
            { { "valid/unseen_hotword_recall", QT_TRANSLATE_NOOP("MonitorPage", "recall"), 0 },
                { "valid/unseen_hotword_precision", QT_TRANSLATE_NOOP("MonitorPage", "precision"),
                    1 },
                { "valid/unseen_hotword_F1", QT_TRANSLATE_NOOP("MonitorPage", "F1"), 2 } } },
        { "speed", QT_TRANSLATE_NOOP("MonitorPage", "Iteration speed"),
            QT_TRANSLATE_NOOP("MonitorPage", "it/s"), false, { { "train/it_per_s", "it/s", 0 } } },
        { "lr", QT_TRANSLATE_NOOP("MonitorPage", "Learning rate"),
            QT_TRANSLATE_NOOP("MonitorPage", "per step"), false,
            { { "train/lr", QT_TRANSLATE_NOOP("MonitorPage", "learning rate"), 0 } } },
        { "gradNorm", QT_TRANSLATE_NOOP("MonitorPage", "Gradient norm"),
            QT_TRANSLATE_NOOP("MonitorPage", "L2 norm"), false,
            { { "train/grad_norm", QT_TRANSLATE_NOOP("MonitorPage", "gradient norm"), 0 } } },
        { "dataWait", QT_TRANSLATE_NOOP("MonitorPage", "Waiting for data"),
            QT_TRANSLATE_NOOP("MonitorPage", "share of step, 0–1"), true,
            { { "train/data_wait", QT_TRANSLATE_NOOP("MonitorPage", "waiting for data"), 0 } } },
        { "reduceWait", QT_TRANSLATE_NOOP("MonitorPage", "Waiting for other ranks"),
            QT_TRANSLATE_NOOP("MonitorPage", "share of step, 0–1"), true,
            { { "train/reduce_wait", QT_TRANSLATE_NOOP("MonitorPage", "waiting in the all-reduce"),
                0 } } },
        { "lossScale", QT_TRANSLATE_NOOP("MonitorPage", "Loss scale"),
            QT_TRANSLATE_NOOP("MonitorPage", "factor"), true,
            { { "train/loss_scale", QT_TRANSLATE_NOOP("MonitorPage", "loss scale"), 0 } } },
        { "memory", QT_TRANSLATE_NOOP("MonitorPage", "GPU memory"),
            QT_TRANSLATE_NOOP("MonitorPage", "bytes"), true,
            { { "memory/peak_bytes", QT_TRANSLATE_NOOP("MonitorPage", "peak of the step"), 0 },
                { "memory/reserved_bytes", QT_TRANSLATE_NOOP("MonitorPage", "reserved"), 1 },
                { "memory/allocated_bytes", QT_TRANSLATE_NOOP("MonitorPage", "allocated"), 2 } } },
        { "fragmentation", QT_TRANSLATE_NOOP("MonitorPage", "GPU memory not in use"),
            QT_TRANSLATE_NOOP("MonitorPage", "share of reserved, 0–1"), true,
            { { "memory/fragmentation", QT_TRANSLATE_NOOP("MonitorPage", "fragmentation"), 0 } } },
    };
    return kPlots;
}

/// Texts without blanks are one word each: their WER says nothing.
bool saysNothing(const run::Snapshot& snapshot, const std::string& tag)
{
    return !snapshot.evaluations.empty() && snapshot.evaluations.back().rate == "CER"
        && (tag == "valid/WER" || tag == "test/WER");
}

QString translatedCurve(const char* text)
{
    return QCoreApplication::translate("MonitorPage", text);
}

/// Colours for a run's second, third … curve: the cycle's without the run's own.
QColor curveColor(const QColor& own, int index)
{
    if (index == 0)
        return own;
    for (int i = 0;; ++i) {
        if (cycleColor(i) != own && --index == 0)
            return cycleColor(i);
    }
}

} // namespace

std::vector<PlotSpec> monitorPlots()
{
    std::vector<PlotSpec> specs;
    for (const MonitorPlot& plot : allPlots())
        specs.push_back({ QString::fromLatin1(plot.id), translatedCurve(plot.title),
            translatedCurve(plot.unit), plot.isHiddenWhenEmpty });
    return specs;
}

std::vector<std::vector<PlotCurve>> monitorCurves(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    std::vector<std::vector<PlotCurve>> curvesOfPlots;
    for (const MonitorPlot& plot : allPlots()) {
        std::vector<PlotCurve>& curves = curvesOfPlots.emplace_back();
        for (const Tag& tag : plot.tags) {
            std::optional<PlotCurve> curve = curveOf({ .snapshot = snapshot,
                .tag = tag.tag,
                .name = QString::fromLatin1(tag.tag),
                .color = curveColor(runColor(runPath), tag.color) });
            if (!curve)
                continue;
            curve->label = translatedCurve(tag.label);
            curves.push_back(std::move(*curve));
        }
    }
    return curvesOfPlots;
}

std::optional<PlotCurve> curveOf(const CurveSource& source)
{
    if (!source.snapshot || saysNothing(*source.snapshot, source.tag))
        return std::nullopt;
    const auto found = source.snapshot->series.find(source.tag);
    if (found == source.snapshot->series.end() || found->second.points().empty())
        return std::nullopt;
    PlotCurve curve;
    curve.name = source.name;
    curve.series = std::shared_ptr<const run::Series>(source.snapshot, &found->second);
    curve.origin = { source.snapshot->startTime,
        static_cast<double>(source.snapshot->started.stepsPerEpoch) };
    curve.color = source.color;
    curve.dash = source.dash;
    return curve;
}

} // namespace earwright::ui
