#include "core/run/marks.h"

#include "core/base/number.h"

#include <algorithm>

namespace earwright::run {
namespace {

/// The latest mark of a kind that has no end yet; null = there is none.
Mark* openMark(std::vector<Mark>& marks, std::string_view kind)
{
    const auto found = std::find_if(marks.rbegin(), marks.rend(),
        [kind](const Mark& mark) { return mark.kind == kind && mark.end == 0; });
    return found == marks.rend() ? nullptr : &*found;
}

} // namespace

void markPause(std::vector<Mark>& marks, int64_t step, double time)
{
    if (!openMark(marks, "pause"))
        marks.push_back({ .kind = "pause", .step = step, .begin = time });
}

void endPause(std::vector<Mark>& marks, double time)
{
    if (Mark* pause = openMark(marks, "pause"))
        pause->end = time;
}

void markRate(std::vector<Mark>& marks, std::string_view message, double time)
{
    constexpr std::string_view kSet = "learning rate set to ";
    constexpr std::string_view kAfter = " after step ";
    const size_t after = message.find(kAfter);
    if (!message.starts_with(kSet) || after == std::string_view::npos)
        return;
    const auto step = parseNumber<int64_t>(message.substr(after + kAfter.size()));
    if (!step)
        return;
    marks.push_back({ .kind = "rate",
        .step = *step,
        .begin = time,
        .end = time,
        .detail = std::string(message.substr(kSet.size(), after - kSet.size())) });
}

void markRestart(std::vector<Mark>& marks, int64_t step, double time, const std::string& error)
{
    endPause(marks, time);
    marks.push_back({ .kind = "restart", .step = step, .begin = time, .detail = error });
}

void markAttempt(std::vector<Mark>& marks, int64_t step, double lastPoint, double time)
{
    endPause(marks, time);
    const double begin = std::min(lastPoint, time);
    if (Mark* restart = openMark(marks, "restart")) {
        restart->step = step;
        restart->begin = begin;
        restart->end = time;
        return;
    }
    marks.push_back({ .kind = "resume", .step = step, .begin = begin, .end = time });
}

} // namespace earwright::run
