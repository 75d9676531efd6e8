#include "ui/monitor/alerts.h"

#include "core/base/text.h"
#include "ui/monitor/run_facts.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace earwright::ui {

namespace {

constexpr size_t kMostSteps = 200;
constexpr size_t kMostUtterances = 20;

QString translatedAlert(const char* text)
{
    return QCoreApplication::translate("Alerts", text);
}

struct Remedy {
    const char* sign; ///< in lower case
    const char* text;
    const char* inHalf = nullptr; ///< of a run in bf16 or fp16; null = the same
};
constexpr std::array kRemedies {
    Remedy { "out of memory",
        QT_TRANSLATE_NOOP("Alerts",
            "Try a smaller batch size, a lower precision (bf16), or a device with more memory."),
        QT_TRANSLATE_NOOP("Alerts", "Try a smaller batch size or a device with more memory.") },
    Remedy { "no space left",
        QT_TRANSLATE_NOOP("Alerts",
            "Free space on the run folder's disk, then resume: the last checkpoint is complete.") },
    Remedy { "signal 9",
        QT_TRANSLATE_NOOP("Alerts",
            "The system killed the rank, most often for memory: try a smaller batch or fewer "
            "ranks, then resume.") },
    Remedy { "sigkill",
        QT_TRANSLATE_NOOP("Alerts",
            "The system killed the rank, most often for memory: try a smaller batch or fewer "
            "ranks, then resume.") },
    // The error names what its own settings leave to try.
    Remedy { "finite",
        QT_TRANSLATE_NOOP("Alerts", "The steps are listed below, each with its utterances.") },
    Remedy { "no such file",
        QT_TRANSLATE_NOOP("Alerts",
            "Check the path in the recipe and its data_root; relative paths count from where the "
            "run was started.") },
};

QString utteranceList(const std::vector<std::string>& utterances)
{
    QStringList names;
    for (size_t i = 0; i < std::min(utterances.size(), kMostUtterances); ++i)
        names.append(QString::fromStdString(utterances[i]));
    QString text = translatedAlert(QT_TRANSLATE_NOOP("Alerts", "Utterances: %1"))
                       .arg(names.join(QStringLiteral(", ")));
    if (utterances.size() > kMostUtterances)
        text += translatedAlert(QT_TRANSLATE_NOOP("Alerts", " and %1 more"))
                    .arg(utterances.size() - kMostUtterances);
    return text;
}

struct StepAlert {
    int64_t step;
    Alert alert;
};

StepAlert nonFiniteAlert(const run::NonFinite& event)
{
    const QString what = event.what == "gradient"
        ? translatedAlert(QT_TRANSLATE_NOOP("Alerts", "Step %1: gradient not finite"))
        : translatedAlert(QT_TRANSLATE_NOOP("Alerts", "Step %1: loss not finite"));
    const QString end = event.skipped
        ? translatedAlert(QT_TRANSLATE_NOOP("Alerts", ", step skipped"))
        : QString();
    return { event.step,
        { Tone::Warning, what.arg(event.step) + end,
            event.utterances.empty() ? QString() : utteranceList(event.utterances) } };
}

StepAlert overflowAlert(const run::LossScaleChanged& event)
{
    return { event.step,
        { Tone::Info,
            translatedAlert(
                QT_TRANSLATE_NOOP("Alerts", "Step %1: fp16 overflow, loss scale now %2"))
                .arg(event.step)
                .arg(event.scale),
            {} } };
}

StepAlert splitAlert(const run::BatchSplit& event)
{
    const QString title = translatedAlert(QT_TRANSLATE_NOOP("Alerts",
        "After step %1: %2 utterances of up to %3 s do not fit into memory, computed in %4 parts"));
    return { event.step,
        { Tone::Warning,
            title.arg(event.step)
                .arg(event.utterances.size())
                .arg(event.seconds, 0, 'f', 1)
                .arg(event.parts),
            utteranceList(event.utterances) + QLatin1Char('\n')
                + QString::fromStdString(event.cause) } };
}

std::vector<StepAlert> stepAlerts(const run::Snapshot& snapshot)
{
    std::vector<StepAlert> alerts;
    for (const run::NonFinite& event : snapshot.nonFinite)
        alerts.push_back(nonFiniteAlert(event));
    for (const run::BatchSplit& event : snapshot.batchSplits)
        alerts.push_back(splitAlert(event));
    for (const run::LossScaleChanged& event : snapshot.lossScales) {
        if (event.overflow)
            alerts.push_back(overflowAlert(event));
    }
    std::stable_sort(alerts.begin(), alerts.end(),
        [](const StepAlert& a, const StepAlert& b) { return a.step > b.step; });
    return alerts;
}

void addRunAlerts(std::vector<Alert>& alerts, const run::Snapshot& snapshot)
{
    if (!snapshot.error.empty())
        alerts.push_back(
            { Tone::Bad, QString::fromStdString(snapshot.error), whatToTry(snapshot) });
    if (snapshot.state == run::State::Interrupted)
        alerts.push_back({ Tone::Bad,
            translatedAlert(
                QT_TRANSLATE_NOOP("Alerts", "The run's supervisor is gone without a word.")),
            translatedAlert(QT_TRANSLATE_NOOP("Alerts",
                "It was killed or the machine restarted. Resume continues from the last "
                "checkpoint.")) });
    for (const run::LogDamage& damage : snapshot.damage)
        alerts.push_back({ Tone::Warning, QString::fromStdString(run::damageText(damage)),
            translatedAlert(QT_TRANSLATE_NOOP("Alerts",
                "Curves, scores and the state may be incomplete. Checkpoints are not "
                "affected.")) });
    const PrecisionProof proof = precisionProof(snapshot, "train");
    if (proof.share && !proof.holds()) {
        alerts.push_back({ Tone::Bad,
            translatedAlert(QT_TRANSLATE_NOOP("Alerts", "Asked for %1, but only %2"))
                .arg(QString::fromStdString(snapshot.started.precision), proofText(proof)),
            translatedAlert(QT_TRANSLATE_NOOP("Alerts",
                "The model's operators do not run in it on this device: compare speed with fp32 "
                "before relying on it.")) });
    }
}

} // namespace

QString whatToTry(const run::Snapshot& snapshot)
{
    const std::string lower = toLower(snapshot.error);
    const std::string& precision = snapshot.started.precision;
    const bool isInHalf = precision == "bf16" || precision == "fp16";
    for (const Remedy& remedy : kRemedies) {
        if (lower.find(remedy.sign) != std::string::npos)
            return translatedAlert(isInHalf && remedy.inHalf ? remedy.inHalf : remedy.text);
    }
    return {};
}

std::vector<Alert> alertsOf(const run::Snapshot& snapshot)
{
    std::vector<Alert> alerts;
    addRunAlerts(alerts, snapshot);
    const std::vector<StepAlert> steps = stepAlerts(snapshot);
    for (size_t i = 0; i < std::min(steps.size(), kMostSteps); ++i)
        alerts.push_back(steps[i].alert);
    if (steps.size() > kMostSteps)
        alerts.push_back({ Tone::Muted,
            translatedAlert(QT_TRANSLATE_NOOP("Alerts", "and %1 earlier ones"))
                .arg(steps.size() - kMostSteps),
            {} });
    return alerts;
}

} // namespace earwright::ui
