#include "core/run/snapshot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace earwright::run {
namespace {

constexpr int64_t kSupervisor = -1;
constexpr std::string_view kSystemTags = "system/";
constexpr size_t kRatePoints = 10; ///< the iteration speed is read off as many logged points

constexpr std::array<const char*, 10> kStateNames = { "unknown", "queued", "starting", "running",
    "stopping", "stopped", "done", "failed", "interrupted", "paused" };

template <class T>
void dropAfterStep(std::vector<T>& items, int64_t step)
{
    std::erase_if(items, [step](const T& item) { return item.step > step; });
}

/// What an earlier attempt logged beyond the step where this one went on never happened.
void dropAfterResume(Snapshot& s)
{
    const int64_t step = s.started.resumedStep;
    for (auto& [tag, series] : s.series)
        series.dropAfterStep(step);
    dropAfterStep(s.evaluations, step);
    dropAfterStep(s.checkpoints, step);
    dropAfterStep(s.nonFinite, step);
    dropAfterStep(s.batchSplits, step);
    dropAfterStep(s.lossScales, step);
    dropAfterStep(s.marks, step);
    s.step = step;
    s.resumePending = false;
}

/// A run that goes on at a step may validate and test again there. Where a part of the log is lost,
/// the start of an attempt may be: a curve that goes back to an earlier step tells of it.
void dropEarlierAttempts(Series& series, int64_t step, const Snapshot& s)
{
    const std::vector<Point>& points = series.points();
    if (points.empty())
        return;
    const bool isAgain = points.back().step == step && points.back().wallTime < s.attemptTime;
    const bool goesBack = points.back().step > step && !s.damage.empty();
    if (isAgain || goesBack)
        series.dropAfterStep(step - 1);
}

/// A point of the machine says nothing of how far the run is: its step is as the supervisor knew
/// it. Of one that goes back it is the latest step, so that the points stay in order of time.
void addSystemPoint(Snapshot& s, const Scalar& scalar, double time)
{
    Series& series = s.series[scalar.tag];
    const int64_t latest = series.points().empty() ? scalar.step : series.points().back().step;
    series.append({ std::max(scalar.step, latest), time, scalar.value });
}

/// When the last point was logged that an attempt that begins at `step` leaves standing; the run's
/// start where there is none.
double lastPointTime(const Snapshot& s, int64_t step)
{
    double latest = s.startTime;
    for (const auto& [tag, series] : s.series) {
        const size_t kept = series.lowerBoundStep(step + 1);
        if (kept > 0 && !tag.starts_with(kSystemTags))
            latest = std::max(latest, series.points()[kept - 1].wallTime);
    }
    return latest;
}

/// Mean of the latest finite values: the trainer measured them without validation and checkpoints.
double measuredRate(const Series& rates)
{
    const std::vector<Point>& points = rates.points();
    double sum = 0;
    int count = 0;
    for (size_t i = points.size(); i > 0 && points.size() - i < kRatePoints; --i) {
        if (std::isfinite(points[i - 1].value)) {
            sum += points[i - 1].value;
            ++count;
        }
    }
    return count > 0 ? sum / count : 0;
}

/// Steps over wall time between the latest points of this phase; `former` where there are too few.
double derivedRate(const Series& losses, double phaseTime, double former)
{
    const std::vector<Point>& points = losses.points();
    size_t first = points.size();
    while (
        first > 0 && points.size() - first < kRatePoints && points[first - 1].wallTime >= phaseTime)
        --first;
    if (points.size() - first < 2)
        return former;
    const double seconds = points.back().wallTime - points[first].wallTime;
    const auto steps = static_cast<double>(points.back().step - points[first].step);
    return seconds > 0 && steps > 0 ? steps / seconds : former;
}

void updateEta(Snapshot& s)
{
    if (s.itPerSecond <= 0 || s.totalSteps <= 0)
        return;
    const auto steps = static_cast<double>(std::max<int64_t>(0, s.totalSteps - s.step));
    const auto evaluations
        = static_cast<double>(std::max<int64_t>(0, s.started.numberOfEpochs - s.epoch + 1));
    s.etaSeconds = steps / s.itPerSecond + evaluations * s.evaluationSeconds;
}

/// Adds one payload of one rank.
struct Fold {
    Snapshot& s;
    int64_t rank;
    double time;

    bool isRank0() const { return rank == 0; }
    bool speaksForRun() const { return rank == 0 || rank == kSupervisor; }
    void markAtWork(State state) const
    {
        if (s.state != State::Stopping && !isFinal(s.state))
            s.state = state;
    }

    void operator()(const Scalar& scalar) const
    {
        if (rank == kSupervisor && scalar.tag.starts_with(kSystemTags))
            return addSystemPoint(s, scalar, time);
        if (!isRank0())
            return;
        if (s.resumePending)
            dropAfterResume(s);
        markAtWork(State::Running);
        Series& series = s.series[scalar.tag];
        dropEarlierAttempts(series, scalar.step, s);
        series.append({ scalar.step, time, scalar.value });
        s.step = std::max(s.step, scalar.step);
        if (scalar.tag == "train/it_per_s")
            s.itPerSecond = measuredRate(series);
        else if (scalar.tag == "train/loss" && !s.series.contains("train/it_per_s"))
            s.itPerSecond = derivedRate(series, s.phaseTime, s.itPerSecond);
        else
            return;
        updateEta(s);
    }

    void operator()(const RunStarted& started) const
    {
        if (!speaksForRun())
            return;
        s.started = started;
        s.attemptTime = time;
        if (started.attempt > 0 && isRank0())
            markAttempt(s.marks, started.resumedStep, lastPointTime(s, started.resumedStep), time);
        s.totalSteps = started.numberOfEpochs * started.stepsPerEpoch;
        if (s.state != State::Stopping)
            s.state = State::Starting;
        s.error.clear();
        s.phase.clear();
        s.phaseTime = time;
        s.etaSeconds = -1;
        s.resumePending = true;
        if (isRank0())
            dropAfterResume(s);
    }

    /// What an attempt before this one ended with is over once it starts.
    void supervisorSays(const std::string& phase) const
    {
        if (phase == "starting") {
            s.state = State::Starting;
            s.error.clear();
            s.phase.clear();
            s.etaSeconds = -1;
        } else if (phase == "stopping" && !isFinal(s.state)) {
            s.state = State::Stopping;
        }
    }

    void operator()(const PhaseChanged& change) const
    {
        if (!speaksForRun())
            return;
        if (rank == kSupervisor)
            return supervisorSays(change.phase);
        if (s.phase == "validate")
            s.evaluationSeconds = time - s.phaseTime;
        if (change.phase == "pause")
            markPause(s.marks, change.step, time);
        else
            endPause(s.marks, time);
        const bool goesOn = s.phase == "pause" && change.phase == "validate";
        s.phase = change.phase;
        s.phaseTime = goesOn ? time - s.evaluationSeconds : time; // a pause takes no part in it
        s.epoch = change.epoch;
        if (change.phase != "prepare")
            markAtWork(change.phase == "pause" ? State::Paused : State::Running);
        updateEta(s);
    }

    void operator()(const LogDamage& damage) const
    {
        const auto told
            = std::find_if(s.damage.begin(), s.damage.end(), [&](const LogDamage& other) {
                  return other.file == damage.file && other.begin == damage.begin;
              });
        if (told != s.damage.end()) {
            if (told->end != damage.end) // known by now: "on" is not the last word
                s.log.push_back({ time, rank, "warning", damageText(damage) });
            *told = damage;
            return;
        }
        s.damage.push_back(damage);
        s.log.push_back({ time, rank, "warning", damageText(damage) });
    }

    void operator()(const Message& message) const
    {
        s.log.push_back({ time, rank, message.level, message.text });
        if (isRank0())
            markRate(s.marks, message.text, time);
    }

    void operator()(const CheckpointSaved& checkpoint) const
    {
        if (speaksForRun())
            s.checkpoints.push_back(checkpoint);
    }

    void operator()(const Evaluated& evaluated) const
    {
        if (speaksForRun())
            s.evaluations.push_back(evaluated);
    }

    void operator()(const NonFinite& nonFinite) const { s.nonFinite.push_back(nonFinite); }

    void operator()(const BatchSplit& split) const { s.batchSplits.push_back(split); }

    void operator()(const LossScaleChanged& change) const
    {
        if (isRank0())
            s.lossScales.push_back(change);
    }

    void operator()(const DtypeCensus& census) const
    {
        if (isRank0())
            s.census.push_back(census);
    }

    void operator()(const Restarting& restarting) const
    {
        s.restarts.push_back(restarting);
        markRestart(s.marks, s.step, time, restarting.error);
        s.state = State::Starting;
        s.log.push_back({ time, rank, "warning",
            "restart " + std::to_string(restarting.restart) + " of "
                + std::to_string(restarting.maxRestarts) + " after: " + restarting.error });
    }

    /// A rank's own error is kept until the supervisor, who knows which came first, gives its own.
    void operator()(const Finished& finished) const
    {
        if (!finished.error.empty() && (rank == kSupervisor || s.error.empty()))
            s.error = finished.error;
        if (!speaksForRun())
            return;
        endPause(s.marks, time);
        s.state = stateFromName(finished.state);
        s.etaSeconds = s.state == State::Done ? 0 : -1;
    }
};

/// Before it nobody may have been at work for long. Where no supervisor tells of the start, the
/// ranks do.
bool beginsAttempt(const Snapshot& snapshot, const Payload& payload)
{
    const auto* change = std::get_if<PhaseChanged>(&payload);
    const std::string phase = change ? change->phase : "";
    return phase == "starting" || (phase == "prepare" && snapshot.state != State::Starting);
}

} // namespace

std::string stateName(State state)
{
    return kStateNames[static_cast<size_t>(state)];
}

State stateFromName(std::string_view name)
{
    const auto found = std::find(kStateNames.begin(), kStateNames.end(), name);
    return found == kStateNames.end() ? State::Unknown
                                      : static_cast<State>(found - kStateNames.begin());
}

bool isFinal(State state)
{
    return state == State::Stopped || state == State::Done || state == State::Failed;
}

bool isLive(State state)
{
    return state == State::Starting || state == State::Running || state == State::Paused
        || state == State::Stopping;
}

void fold(Snapshot& snapshot, int64_t rank, const Event& event)
{
    if (std::holds_alternative<LogDamage>(event.payload)) { // nothing that the run did
        const double time = event.wallTime > 0 ? event.wallTime : snapshot.lastTime;
        return std::visit(Fold { snapshot, rank, time }, event.payload);
    }
    if (snapshot.startTime == 0)
        snapshot.startTime = event.wallTime;
    else if (!beginsAttempt(snapshot, event.payload))
        snapshot.workSeconds += std::max(0.0, event.wallTime - snapshot.lastTime);
    snapshot.lastTime = std::max(snapshot.lastTime, event.wallTime);
    std::visit(Fold { snapshot, rank, event.wallTime }, event.payload);
}

} // namespace earwright::run
