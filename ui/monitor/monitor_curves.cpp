#include "ui/monitor/monitor_curves.h"

#include "core/base/number.h"
#include "ui/monitor/run_facts.h"
#include "ui/widgets/plot_colors.h"

#include <QCoreApplication>

#include <map>
#include <string_view>

namespace earwright::ui {

namespace {

constexpr qsizetype kLongestCause = 80; ///< of a restart, letters

struct Tag {
    /// One * stands for a number: a curve for each that there is.
    const char* tag;
    const char* label; ///< %1 = the number
    int color; ///< 0 = the run's
};

struct MonitorPlot {
    const char* id;
    const char* title;
    const char* unit;
    bool isHiddenWhenEmpty;
    std::vector<Tag> tags;
    const char* group = nullptr;
};

constexpr const char* kSystem = QT_TRANSLATE_NOOP("MonitorPage", "System");

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
        { "accuracy", QT_TRANSLATE_NOOP("MonitorPage", "Accuracy"),
            QT_TRANSLATE_NOOP("MonitorPage", "% of labels"), true,
            { { "valid/ACC", QT_TRANSLATE_NOOP("MonitorPage", "valid accuracy"), 0 } } },
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
            { { "train/lr", QT_TRANSLATE_NOOP("MonitorPage", "learning rate"), 0 },
                { "train/lr_wav2vec", QT_TRANSLATE_NOOP("MonitorPage", "of the pretrained encoder"),
                    1 } } },
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
        { "systemCpu", QT_TRANSLATE_NOOP("MonitorPage", "CPU"),
            QT_TRANSLATE_NOOP("MonitorPage", "% of all cores"), true,
            { { "system/cpu_percent", QT_TRANSLATE_NOOP("MonitorPage", "all programs"), 0 } },
            kSystem },
        { "systemRanksCpu", QT_TRANSLATE_NOOP("MonitorPage", "CPU of the ranks"),
            QT_TRANSLATE_NOOP("MonitorPage", "% of a core"), true,
            { { "system/ranks_cpu_percent", QT_TRANSLATE_NOOP("MonitorPage", "ranks"), 0 } },
            kSystem },
        { "systemMemory", QT_TRANSLATE_NOOP("MonitorPage", "Memory"),
            QT_TRANSLATE_NOOP("MonitorPage", "bytes"), true,
            { { "system/ranks_resident_bytes", QT_TRANSLATE_NOOP("MonitorPage", "ranks"), 0 },
                { "system/available_bytes", QT_TRANSLATE_NOOP("MonitorPage", "available"), 1 } },
            kSystem },
        { "systemDisk", QT_TRANSLATE_NOOP("MonitorPage", "Free on the disk"),
            QT_TRANSLATE_NOOP("MonitorPage", "bytes"), true,
            { { "system/disk_free_bytes", QT_TRANSLATE_NOOP("MonitorPage", "free"), 0 } },
            kSystem },
        { "systemWritten", QT_TRANSLATE_NOOP("MonitorPage", "Written by the ranks"),
            QT_TRANSLATE_NOOP("MonitorPage", "bytes/s"), true,
            { { "system/ranks_written_bytes_per_s", QT_TRANSLATE_NOOP("MonitorPage", "written"),
                0 } },
            kSystem },
        { "systemGpu", QT_TRANSLATE_NOOP("MonitorPage", "GPU use"),
            QT_TRANSLATE_NOOP("MonitorPage", "%"), true,
            { { "system/gpu*_percent", QT_TRANSLATE_NOOP("MonitorPage", "cuda:%1"), 0 } },
            kSystem },
        { "systemGpuMemory", QT_TRANSLATE_NOOP("MonitorPage", "GPU memory of all programs"),
            QT_TRANSLATE_NOOP("MonitorPage", "bytes"), true,
            { { "system/gpu*_memory_bytes", QT_TRANSLATE_NOOP("MonitorPage", "cuda:%1"), 0 } },
            kSystem },
        { "systemGpuPower", QT_TRANSLATE_NOOP("MonitorPage", "GPU power"),
            QT_TRANSLATE_NOOP("MonitorPage", "W"), true,
            { { "system/gpu*_watts", QT_TRANSLATE_NOOP("MonitorPage", "cuda:%1"), 0 } }, kSystem },
        { "systemGpuTemperature", QT_TRANSLATE_NOOP("MonitorPage", "GPU temperature"),
            QT_TRANSLATE_NOOP("MonitorPage", "°C"), true,
            { { "system/gpu*_celsius", QT_TRANSLATE_NOOP("MonitorPage", "cuda:%1"), 0 } },
            kSystem },
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

/// The tags that a pattern stands for, each with its number in order of the numbers; a tag without
/// * stands for itself.
std::map<int, std::string> tagsOf(const std::string& pattern, const run::Snapshot& snapshot)
{
    const size_t star = pattern.find('*');
    if (star == std::string::npos)
        return { { 0, pattern } };
    std::map<int, std::string> tags;
    const std::string_view before = std::string_view(pattern).substr(0, star);
    const std::string_view behind = std::string_view(pattern).substr(star + 1);
    for (const auto& [tag, series] : snapshot.series) {
        if (tag.size() <= before.size() + behind.size() || !tag.starts_with(before)
            || !tag.ends_with(behind))
            continue;
        const auto number = parseNumber<int>(std::string_view(tag).substr(
            before.size(), tag.size() - before.size() - behind.size()));
        if (number)
            tags[*number] = tag;
    }
    return tags;
}

/// While nothing trained.
std::vector<TimeSpan> gapsOf(const run::Snapshot& snapshot)
{
    std::vector<TimeSpan> gaps;
    for (const run::Mark& mark : snapshot.marks) {
        if (mark.end > mark.begin)
            gaps.push_back({ mark.begin, mark.end });
    }
    return gaps;
}

QString markText(const run::Mark& mark)
{
    const QString detail = QString::fromStdString(mark.detail);
    const QString lasted = durationText(mark.end - mark.begin);
    if (mark.kind == "rate")
        return translatedCurve(QT_TRANSLATE_NOOP("MonitorPage", "learning rate set to %1"))
            .arg(detail);
    if (mark.kind == "pause")
        return mark.end == 0
            ? translatedCurve(QT_TRANSLATE_NOOP("MonitorPage", "paused"))
            : translatedCurve(QT_TRANSLATE_NOOP("MonitorPage", "paused for %1")).arg(lasted);
    if (mark.kind == "restart")
        return translatedCurve(QT_TRANSLATE_NOOP("MonitorPage", "restarted after: %1"))
            .arg(detail.section(QLatin1Char('\n'), 0, 0).left(kLongestCause));
    return translatedCurve(QT_TRANSLATE_NOOP("MonitorPage", "resumed after %1")).arg(lasted);
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
        specs.push_back(
            { QString::fromLatin1(plot.id), translatedCurve(plot.title), translatedCurve(plot.unit),
                plot.isHiddenWhenEmpty, plot.group ? translatedCurve(plot.group) : QString() });
    return specs;
}

std::vector<std::vector<PlotCurve>> monitorCurves(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    std::vector<std::vector<PlotCurve>> curvesOfPlots;
    for (const MonitorPlot& plot : allPlots()) {
        std::vector<PlotCurve>& curves = curvesOfPlots.emplace_back();
        for (const Tag& tag : plot.tags) {
            int color = tag.color;
            for (const auto& [number, name] : tagsOf(tag.tag, *snapshot)) {
                std::optional<PlotCurve> curve = curveOf({ .snapshot = snapshot,
                    .tag = name,
                    .name = QString::fromStdString(name),
                    .color = curveColor(runColor(runPath), color % kColorCount),
                    .dash = cycleDash(color / kColorCount) });
                ++color;
                if (!curve)
                    continue;
                const QString label = translatedCurve(tag.label);
                curve->label = label.contains(QLatin1String("%1")) ? label.arg(number) : label;
                curves.push_back(std::move(*curve));
            }
        }
    }
    return curvesOfPlots;
}

std::vector<PlotMark> monitorMarks(const run::Snapshot& snapshot)
{
    const CurveOrigin origin { snapshot.startTime,
        static_cast<double>(snapshot.started.stepsPerEpoch) };
    std::vector<PlotMark> marks;
    for (const run::Mark& mark : snapshot.marks)
        marks.push_back({ .at = { .step = mark.step, .wallTime = mark.begin },
            .origin = origin,
            .text = markText(mark) });
    return marks;
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
    curve.gaps = gapsOf(*source.snapshot);
    curve.color = source.color;
    curve.dash = source.dash;
    return curve;
}

} // namespace earwright::ui
