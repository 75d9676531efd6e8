#include "core/run/comparison.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"

#include <cmath>

namespace earwright::run {

namespace {

constexpr int64_t kStartUpSteps = 5;

const std::vector<Point>& pointsOf(const Snapshot& snapshot, const std::string& tag)
{
    static const std::vector<Point> kNone;
    const auto found = snapshot.series.find(tag);
    return found == snapshot.series.end() ? kNone : found->second.points();
}

bool isSame(double first, double second)
{
    return first == second || (std::isnan(first) && std::isnan(second));
}

} // namespace

double trainingSpeed(const Snapshot& snapshot)
{
    double seconds = 0;
    double steps = 0;
    for (const Point& point : pointsOf(snapshot, "train/it_per_s")) {
        if (point.step > kStartUpSteps && point.value > 0) {
            seconds += 1 / point.value;
            steps += 1;
        }
    }
    return steps > 0 ? steps / seconds : -1;
}

LossDifference lossDifference(const Snapshot& first, const Snapshot& second)
{
    const std::vector<Point>& ones = pointsOf(first, "train/loss");
    const std::vector<Point>& others = pointsOf(second, "train/loss");
    LossDifference result;
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
