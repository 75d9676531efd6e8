#include "ui/runs/run_story.h"

#include "core/base/text.h"
#include "ui/runs/run_state.h"

#include <algorithm>
#include <optional>
#include <QCoreApplication>
#include <QStringList>

namespace earwright::ui {
namespace {

QString translatedStory(const char* text)
{
    return QCoreApplication::translate("RunStory", text);
}

run::LogLine line(double wallTime, int64_t rank, const char* level, const QString& text)
{
    return { wallTime, rank, level, text.toStdString() };
}

/// When a curve got its point of a step.
std::optional<double> timeOf(const run::Snapshot& snapshot, const std::string& tag, int64_t step)
{
    const auto found = snapshot.series.find(tag);
    if (found == snapshot.series.end())
        return std::nullopt;
    const size_t index = found->second.lowerBoundStep(step);
    const auto& points = found->second.points();
    if (index >= points.size() || points[index].step != step)
        return std::nullopt;
    return points[index].wallTime;
}

/// When a step was done; the run's latest sign of life where its loss was not logged.
double timeOfStep(const run::Snapshot& snapshot, int64_t step)
{
    return timeOf(snapshot, "train/loss", step).value_or(snapshot.lastTime);
}

double timeOfEvaluation(const run::Snapshot& snapshot, const run::Evaluated& evaluated)
{
    const auto time = timeOf(snapshot, evaluated.split + "/loss", evaluated.step);
    return time ? *time : timeOfStep(snapshot, evaluated.step);
}

run::LogLine startLine(const run::Snapshot& snapshot)
{
    const run::RunStarted& started = snapshot.started;
    const bool isPartTrained
        = started.trainedCount > 0 && started.trainedCount != started.parameterCount;
    const QString setting
        = translatedStory("%1 on %2, %3 parameters%4, %5 epochs of %6 steps")
              .arg(QString::fromStdString(started.precision), devicesText(started.devices))
              .arg(started.parameterCount)
              .arg(isPartTrained ? translatedStory(" (%1 trained)").arg(started.trainedCount)
                                 : QString())
              .arg(started.numberOfEpochs)
              .arg(started.stepsPerEpoch);
    const QString text = started.attempt == 0
        ? translatedStory("started: %1").arg(setting)
        : translatedStory("resumed at step %1: %2").arg(started.resumedStep).arg(setting);
    return line(snapshot.attemptTime, 0, "info", text);
}

run::LogLine evaluationLine(const run::Snapshot& snapshot, const run::Evaluated& evaluated)
{
    return line(timeOfEvaluation(snapshot, evaluated), 0, "info",
        translatedStory("epoch %1: %2 loss %3, %4")
            .arg(evaluated.epoch)
            .arg(QString::fromStdString(evaluated.split))
            .arg(evaluated.loss, 0, 'f', 4)
            .arg(ratesText(evaluated)));
}

run::LogLine checkpointLine(const run::Snapshot& snapshot, const run::CheckpointSaved& saved)
{
    const QString text = saved.best ? translatedStory("step %1: checkpoint %2, the best so far")
                                    : translatedStory("step %1: checkpoint %2");
    // That of an epoch's end is written after its validation.
    const auto validated = timeOf(snapshot, "valid/loss", saved.step);
    return line(validated ? *validated : timeOfStep(snapshot, saved.step), 0, "debug",
        text.arg(saved.step).arg(QString::fromStdString(saved.path)));
}

run::LogLine nonFiniteLine(const run::Snapshot& snapshot, const run::NonFinite& event)
{
    QStringList utterances;
    for (const std::string& utterance : event.utterances)
        utterances << QString::fromStdString(utterance);
    const QString text = event.skipped ? translatedStory("step %1: %2 not finite, step skipped: %3")
                                       : translatedStory("step %1: %2 not finite: %3");
    return line(timeOfStep(snapshot, event.step), 0, "warning",
        text.arg(event.step)
            .arg(QString::fromStdString(event.what), utterances.join(QStringLiteral(", "))));
}

run::LogLine endLine(const run::Snapshot& snapshot)
{
    const bool isFailed = snapshot.state == run::State::Failed;
    const QString text
        = translatedStory("%1 after %2 steps").arg(stateText(snapshot.state)).arg(snapshot.step)
        + (snapshot.error.empty() ? QString()
                                  : QStringLiteral(": ") + QString::fromStdString(snapshot.error));
    return line(snapshot.lastTime, -1, isFailed ? "error" : "info", text);
}

/// A row each: a view's rows are all of one height.
void addRows(std::vector<run::LogLine>& rows, const run::LogLine& said)
{
    for (const std::string& text : split(trim(said.text), '\n'))
        rows.push_back({ said.wallTime, said.rank, said.level, text });
}

template <class Item, class MakeLine>
void addNew(std::vector<run::LogLine>& lines, const std::vector<Item>& items, size_t from,
    MakeLine&& makeLine)
{
    for (size_t i = from; i < items.size(); ++i)
        addRows(lines, makeLine(items[i]));
}

} // namespace

QString ratesText(const run::Evaluated& evaluated)
{
    const auto percent
        = [](double value) { return QString::number(value, 'f', 2) + QStringLiteral(" %"); };
    const QString cer = translatedStory("CER %1").arg(percent(evaluated.cer));
    return evaluated.rate == "CER" ? cer
                                   : translatedStory("WER %1, %2").arg(percent(evaluated.wer), cer);
}

RunStory::Told RunStory::toldBy(const run::Snapshot& snapshot)
{
    const bool isStarted = snapshot.startTime > 0 && !snapshot.started.precision.empty();
    return { snapshot.log.size(), snapshot.evaluations.size(), snapshot.checkpoints.size(),
        snapshot.nonFinite.size(),
        isStarted ? static_cast<size_t>(snapshot.started.attempt) + 1 : 0,
        run::isFinal(snapshot.state) };
}

bool RunStory::continues(const Told& now) const
{
    return now.messages >= m_told.messages && now.evaluations >= m_told.evaluations
        && now.checkpoints >= m_told.checkpoints && now.nonFinite >= m_told.nonFinite
        && now.attempts >= m_told.attempts && now.end >= m_told.end;
}

/// In order of time among those told before.
void RunStory::add(std::vector<run::LogLine> fresh)
{
    const auto isEarlier
        = [](const run::LogLine& a, const run::LogLine& b) { return a.wallTime < b.wallTime; };
    m_numKept = m_lines.size();
    if (fresh.empty())
        return;
    std::stable_sort(fresh.begin(), fresh.end(), isEarlier);
    const auto place = std::upper_bound(m_lines.begin(), m_lines.end(), fresh.front(), isEarlier);
    m_numKept = static_cast<size_t>(place - m_lines.begin());
    const auto told = static_cast<std::ptrdiff_t>(m_lines.size());
    m_lines.insert(m_lines.end(), fresh.begin(), fresh.end());
    std::inplace_merge(m_lines.begin(), m_lines.begin() + told, m_lines.end(), isEarlier);
}

bool RunStory::update(const run::Snapshot& snapshot)
{
    const Told now = toldBy(snapshot);
    const bool isContinuation = continues(now);
    if (!isContinuation) {
        m_lines.clear();
        m_told = {};
    }
    const auto with
        = [&](auto make) { return [&, make](const auto& item) { return make(snapshot, item); }; };
    std::vector<run::LogLine> fresh;
    if (now.attempts > m_told.attempts)
        addRows(fresh, startLine(snapshot));
    addNew(fresh, snapshot.log, m_told.messages, [](const run::LogLine& said) { return said; });
    addNew(fresh, snapshot.nonFinite, m_told.nonFinite, with(nonFiniteLine));
    addNew(fresh, snapshot.evaluations, m_told.evaluations, with(evaluationLine));
    addNew(fresh, snapshot.checkpoints, m_told.checkpoints, with(checkpointLine));
    if (now.end && !m_told.end)
        addRows(fresh, endLine(snapshot));
    add(std::move(fresh));
    m_told = now;
    return isContinuation;
}

} // namespace earwright::ui
