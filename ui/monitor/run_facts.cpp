#include "ui/monitor/run_facts.h"

#include "ui/monitor/hotword_figures.h"
#include "ui/runs/run_story.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace earwright::ui {

namespace {

constexpr size_t kSpeedPoints = 1000;

QString translatedFact(const char* text)
{
    return QCoreApplication::translate("RunFacts", text);
}

std::string dtypeOf(const std::string& precision)
{
    static const std::map<std::string, std::string> kDtypes { { "fp32", "float32" },
        { "tf32", "tf32" }, { "fp16", "float16" }, { "bf16", "bfloat16" } };
    const auto found = kDtypes.find(precision);
    return found == kDtypes.end() ? std::string() : found->second;
}

const run::Series* seriesOf(const run::Snapshot& snapshot, const std::string& tag)
{
    const auto found = snapshot.series.find(tag);
    return found == snapshot.series.end() || found->second.points().empty() ? nullptr
                                                                            : &found->second;
}

QString scaled(double value, double unit, const char* suffix)
{
    const double number = value / unit;
    return QString::number(number, 'f', number < 10 ? 2 : 1) + QLatin1Char(' ')
        + QLatin1String(suffix);
}

} // namespace

PrecisionProof precisionProof(const run::Snapshot& snapshot, const std::string& stage)
{
    const run::RunStarted& started = snapshot.started;
    const std::string dtype = dtypeOf(stage == "train" ? started.precision : started.evalPrecision);
    PrecisionProof proof { QString::fromStdString(dtype), {} };
    for (const run::DtypeCensus& census : snapshot.census) {
        if (census.stage != stage || dtype.empty())
            continue;
        const auto share = census.shareByDtype.find(dtype);
        proof.share = share == census.shareByDtype.end() ? 0.0 : share->second;
    }
    return proof;
}

QString proofText(const PrecisionProof& proof)
{
    if (!proof.share)
        return translatedFact(QT_TRANSLATE_NOOP("RunFacts", "dtype not measured yet"));
    return translatedFact(QT_TRANSLATE_NOOP("RunFacts", "%1 % of matrix work in %2"))
        .arg(100 * *proof.share, 0, 'f', 0)
        .arg(proof.dtype);
}

std::optional<run::Evaluated> bestValidation(const run::Snapshot& snapshot)
{
    const auto& saved = snapshot.checkpoints;
    const auto best = std::find_if(saved.rbegin(), saved.rend(),
        [](const run::CheckpointSaved& checkpoint) { return checkpoint.best; });
    if (best == saved.rend())
        return {};
    const auto& all = snapshot.evaluations;
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const run::Evaluated& evaluated) {
        return evaluated.split == "valid" && evaluated.step == best->step;
    });
    return found == all.rend() ? std::nullopt : std::optional(*found);
}

std::optional<double> latestValue(const run::Snapshot& snapshot, const std::string& tag)
{
    const run::Series* series = seriesOf(snapshot, tag);
    return series ? std::optional(series->points().back().value) : std::nullopt;
}

std::optional<double> typicalSpeed(const run::Snapshot& snapshot)
{
    const run::Series* series = seriesOf(snapshot, "train/it_per_s");
    if (!series)
        return snapshot.itPerSecond > 0 ? std::optional(snapshot.itPerSecond) : std::nullopt;
    std::vector<double> values;
    const auto& points = series->points();
    for (size_t i = points.size() > kSpeedPoints ? points.size() - kSpeedPoints : 0;
         i < points.size(); ++i) {
        if (std::isfinite(points[i].value))
            values.push_back(points[i].value);
    }
    if (values.empty())
        return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::optional<double> peakMemoryBytes(const run::Snapshot& snapshot)
{
    const run::Series* series = seriesOf(snapshot, "memory/peak_bytes");
    if (!series)
        return std::nullopt;
    std::optional<double> peak;
    for (const run::Point& point : series->minMax(0, series->points().size(), 1))
        peak = std::max(peak.value_or(point.value), point.value);
    return peak;
}

QString parametersText(const run::RunStarted& started)
{
    if (started.parameterCount == 0)
        return {};
    const QString all = translatedFact(QT_TRANSLATE_NOOP("RunFacts", "%1 parameters"))
                            .arg(countText(static_cast<double>(started.parameterCount)));
    if (started.trainedCount == 0 || started.trainedCount == started.parameterCount)
        return all;
    return translatedFact(QT_TRANSLATE_NOOP("RunFacts", "%1, %2 trained"))
        .arg(all, countText(static_cast<double>(started.trainedCount)));
}

QString intervalText(const std::optional<run::RateInterval>& interval)
{
    return interval
        ? QStringLiteral("%1–%2").arg(interval->low, 0, 'f', 2).arg(interval->high, 0, 'f', 2)
        : QString();
}

QString scoreTip(const run::Evaluated& score, const run::Snapshot& snapshot)
{
    QStringList lines { translatedFact(QT_TRANSLATE_NOOP("RunFacts", "%1, epoch %2: %3"))
                            .arg(QString::fromStdString(score.split))
                            .arg(score.epoch)
                            .arg(ratesText(score)) };
    if (const QString interval = intervalText(run::intervalOf(snapshot, score, score.rate));
        !interval.isEmpty())
        lines << translatedFact(QT_TRANSLATE_NOOP("RunFacts", "    95 % interval of the %1: %2 %"))
                     .arg(QString::fromStdString(score.rate), interval);
    if (const QString all = hotwordText(hotwordsOf(snapshot, score, Phrases::All)); !all.isEmpty())
        lines << translatedFact(QT_TRANSLATE_NOOP("RunFacts", "    hotwords: %1")).arg(all);
    if (const QString unseen = hotwordText(hotwordsOf(snapshot, score, Phrases::Unseen));
        !unseen.isEmpty())
        lines << translatedFact(QT_TRANSLATE_NOOP("RunFacts", "    in no training text: %1"))
                     .arg(unseen);
    return lines.join(QLatin1Char('\n'));
}

QString durationText(double seconds)
{
    const auto total = static_cast<long long>(std::llround(std::max(0.0, seconds)));
    return QStringLiteral("%1:%2:%3")
        .arg(total / 3600)
        .arg(total / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(total % 60, 2, 10, QLatin1Char('0'));
}

QString countText(double count)
{
    if (count >= 1e6)
        return scaled(count, 1e6, "M");
    return count >= 1e4 ? scaled(count, 1e3, "k") : QString::number(count, 'f', 0);
}

QString bytesText(double bytes)
{
    constexpr double kMebi = 1024.0 * 1024.0;
    return bytes >= 1024 * kMebi ? scaled(bytes, 1024 * kMebi, "GiB") : scaled(bytes, kMebi, "MiB");
}

} // namespace earwright::ui
