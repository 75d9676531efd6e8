#include "core/run/costs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace earwright::run {

namespace {

/// Power is logged every few seconds. Where it is missing for longer nobody knows what it was.
constexpr double kLongestGapSeconds = 60;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// When a run worked, added up once.
class WorkTime final {
public:
    explicit WorkTime(const Snapshot& snapshot)
        : m_start(snapshot.startTime)
    {
        for (const Mark& mark : snapshot.marks) // without an end it lasts
            m_gaps.push_back({ .begin = std::max(mark.begin, m_start),
                .end = mark.end > 0 ? mark.end : std::numeric_limits<double>::infinity() });
        std::ranges::sort(m_gaps, {}, &Gap::begin);
        merge();
    }

    double start() const { return m_start; }

    /// Seconds since the start.
    double until(double wallTime) const
    {
        const double time = std::max(wallTime, m_start);
        const auto next = std::ranges::upper_bound(m_gaps, time, {}, &Gap::begin);
        if (next == m_gaps.begin())
            return time - m_start;
        const Gap& gap = *std::prev(next);
        return gap.worked + std::max(0.0, time - gap.end);
    }

private:
    struct Gap {
        double begin = 0;
        double end = 0;
        double worked = 0; ///< until it began
    };

    /// One may lie in another: a resume drops work.
    void merge()
    {
        std::vector<Gap> merged;
        for (const Gap& gap : m_gaps) {
            if (gap.end <= gap.begin)
                continue;
            if (!merged.empty() && gap.begin <= merged.back().end) {
                merged.back().end = std::max(merged.back().end, gap.end);
                continue;
            }
            const double worked = merged.empty()
                ? gap.begin - m_start
                : merged.back().worked + gap.begin - merged.back().end;
            merged.push_back({ .begin = gap.begin, .end = gap.end, .worked = worked });
        }
        m_gaps = std::move(merged);
    }

    double m_start;
    std::vector<Gap> m_gaps; ///< in order, apart from each other
};

/// What one GPU took, added up once. Until its first figure it took as much.
class Energy final {
public:
    Energy(const WorkTime& work, const Series& watts)
    {
        m_readings.push_back({ .time = work.start() });
        for (const Point& point : watts.points()) {
            if (!std::isfinite(point.value) || point.wallTime < m_readings.back().time)
                continue;
            if (m_readings.size() == 1)
                m_readings.front().watts = point.value;
            m_readings.push_back({ .time = point.wallTime,
                .worked = work.until(point.wallTime),
                .watts = point.value,
                .joules
                = joulesAt(m_readings.size() - 1, work.until(point.wallTime), point.value) });
        }
    }

    /// NaN where they are not known.
    double until(double wallTime, double worked) const
    {
        if (m_readings.size() == 1)
            return kUnknown;
        const auto next = std::ranges::lower_bound(m_readings, wallTime, {}, &Reading::time);
        const auto before
            = static_cast<size_t>(std::max<std::ptrdiff_t>(0, next - m_readings.begin() - 1));
        return joulesAt(
            before, worked, next == m_readings.end() ? m_readings.back().watts : next->watts);
    }

private:
    struct Reading {
        double time = 0; ///< seconds since the epoch
        double worked = 0; ///< seconds until then
        double watts = 0;
        double joules = 0; ///< until then
    };

    /// After the reading at `index`, where the power went on to `watts`.
    double joulesAt(size_t index, double worked, double watts) const
    {
        const Reading& last = m_readings[index];
        const double seconds = std::max(0.0, worked - last.worked);
        return seconds > kLongestGapSeconds ? kUnknown
                                            : last.joules + seconds * (last.watts + watts) / 2;
    }

    std::vector<Reading> m_readings; ///< in order of time, from the run's start
};

bool isOfPower(const std::string& tag)
{
    return tag.starts_with("system/gpu") && tag.ends_with("_watts");
}

/// What a run had taken, worked out once for all its evaluations.
class Account final {
public:
    explicit Account(const Snapshot& snapshot)
        : m_snapshot(snapshot)
        , m_work(snapshot)
    {
        for (const auto& [tag, series] : snapshot.series)
            if (isOfPower(tag))
                m_energies.emplace_back(m_work, series);
    }

    double seconds(double wallTime) const { return m_work.until(wallTime); }

    std::optional<double> joules(double wallTime) const
    {
        double sum = m_energies.empty() ? kUnknown : 0;
        for (const Energy& energy : m_energies)
            sum += energy.until(wallTime, seconds(wallTime));
        return std::isnan(sum) ? std::nullopt : std::optional(sum);
    }

    std::optional<Cost> of(const Evaluated& evaluated) const
    {
        const auto curve = m_snapshot.series.find(evaluated.split + "/" + evaluated.rate);
        if (curve == m_snapshot.series.end())
            return std::nullopt;
        const std::vector<Point>& points = curve->second.points();
        const size_t end = curve->second.lowerBoundStep(evaluated.step + 1);
        if (end == 0 || points[end - 1].step != evaluated.step)
            return std::nullopt;
        const double time = points[end - 1].wallTime;
        return Cost { .epoch = evaluated.epoch,
            .step = evaluated.step,
            .percent = evaluated.percent(),
            .seconds = seconds(time),
            .joules = joules(time) };
    }

private:
    const Snapshot& m_snapshot;
    WorkTime m_work;
    std::vector<Energy> m_energies; ///< one a GPU
};

} // namespace

double workedSeconds(const Snapshot& snapshot, double wallTime)
{
    return WorkTime(snapshot).until(wallTime);
}

std::optional<double> spentJoules(const Snapshot& snapshot, double wallTime)
{
    return Account(snapshot).joules(wallTime);
}

std::optional<Cost> costOf(const Snapshot& snapshot, const Evaluated& evaluated)
{
    return Account(snapshot).of(evaluated);
}

std::vector<Cost> validationCosts(const Snapshot& snapshot)
{
    const Account account(snapshot);
    std::vector<Cost> costs;
    for (const Evaluated& evaluated : snapshot.evaluations) {
        if (evaluated.split != "valid")
            continue;
        if (const auto cost = account.of(evaluated))
            costs.push_back(*cost);
    }
    return costs;
}

std::optional<Cost> costUntil(const std::vector<Cost>& costs, double percent)
{
    const auto found = std::ranges::find_if(
        costs, [percent](const Cost& cost) { return cost.percent <= percent; });
    return found == costs.end() ? std::nullopt : std::optional(*found);
}

} // namespace earwright::run
