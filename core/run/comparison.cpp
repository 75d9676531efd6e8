#include "core/run/comparison.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace earwright::run {

namespace {

constexpr int64_t kStartUpSteps = 5;
constexpr int64_t kFewestSideBySide = 20; ///< steps of each run

const std::vector<Point>& pointsOf(const Snapshot& snapshot, const std::string& tag)
{
    static const std::vector<Point> kNone;
    const auto found = snapshot.series.find(tag);
    return found == snapshot.series.end() ? kNone : found->second.points();
}

/// Seconds since the epoch.
struct TimeSpan {
    double begin = -std::numeric_limits<double>::infinity();
    double end = std::numeric_limits<double>::infinity();

    bool has(double time) const { return begin <= time && time <= end; }
};

TimeSpan overlap(const TimeSpan& first, const TimeSpan& second)
{
    return { std::max(first.begin, second.begin), std::min(first.end, second.end) };
}

bool isCounted(const Point& speed)
{
    return speed.step > kStartUpSteps && speed.value > 0 && std::isfinite(speed.value);
}

/// Steps whose speed counts.
struct CountedSteps {
    int64_t count = 0;
    double seconds = 0;

    double speed() const { return count > 0 ? static_cast<double>(count) / seconds : -1; }
};

CountedSteps countedSteps(const Snapshot& snapshot, const TimeSpan& within)
{
    CountedSteps steps;
    for (const Point& point : pointsOf(snapshot, "train/it_per_s")) {
        if (isCounted(point) && within.has(point.wallTime)) {
            steps.seconds += 1 / point.value;
            ++steps.count;
        }
    }
    return steps;
}

/// From the first step that counts to the last; of no step a span that holds nothing.
TimeSpan trainingTime(const Snapshot& snapshot)
{
    const std::vector<Point>& points = pointsOf(snapshot, "train/it_per_s");
    const auto first = std::find_if(points.begin(), points.end(), isCounted);
    const auto last = std::find_if(points.rbegin(), points.rend(), isCounted);
    return first == points.end() ? TimeSpan { 1, 0 } : TimeSpan { first->wallTime, last->wallTime };
}

bool isSame(double first, double second)
{
    return first == second || (std::isnan(first) && std::isnan(second));
}

} // namespace

double trainingSpeed(const Snapshot& snapshot)
{
    return countedSteps(snapshot, {}).speed();
}

SpeedRatio speedRatio(const Snapshot& first, const Snapshot& second, bool isOneHost)
{
    const TimeSpan both = overlap(trainingTime(first), trainingTime(second));
    const CountedSteps ones = isOneHost ? countedSteps(first, both) : CountedSteps {};
    const CountedSteps others = isOneHost ? countedSteps(second, both) : CountedSteps {};
    if (ones.count >= kFewestSideBySide && others.count >= kFewestSideBySide)
        return { .value = others.speed() / ones.speed(),
            .firstSteps = ones.count,
            .secondSteps = others.count };
    const double speeds[] = { trainingSpeed(first), trainingSpeed(second) };
    return { .value = speeds[0] > 0 && speeds[1] > 0 ? speeds[1] / speeds[0] : -1 };
}

std::optional<double> machineLoad(const Snapshot& snapshot)
{
    const TimeSpan training = trainingTime(snapshot);
    double sum = 0;
    int64_t count = 0;
    for (const Point& point : pointsOf(snapshot, "system/cpu_percent")) {
        if (training.has(point.wallTime) && std::isfinite(point.value)) {
            sum += point.value;
            ++count;
        }
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

CurveDifference curveDifference(
    const Snapshot& first, const Snapshot& second, const std::string& tag)
{
    const std::vector<Point>& ones = pointsOf(first, tag);
    const std::vector<Point>& others = pointsOf(second, tag);
    CurveDifference result;
    for (size_t i = 0, k = 0; i < ones.size() && k < others.size();) {
        const Point& one = ones[i];
        const Point& other = others[k];
        i += one.step <= other.step ? 1 : 0;
        k += other.step <= one.step ? 1 : 0;
        if (one.step != other.step)
            continue;
        if (!isSame(one.value, other.value)) {
            result.step = one.step;
            result.first = one.value;
            result.second = other.value;
            return result;
        }
        ++result.sameSteps;
    }
    return result;
}

std::string hostOf(const RunFolder& folder)
{
    const Result<std::string> text = readFile(folder.path / "versions.json");
    std::string host;
    if (!text)
        return host;
    if (Result<JsonReader> reader = JsonReader::parse(*text))
        (*reader)("host", host);
    return host;
}

} // namespace earwright::run
