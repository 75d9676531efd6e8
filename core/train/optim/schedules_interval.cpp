#include "core/train/optim/schedules.h"

namespace kymo::train {

namespace {

struct Interval {
    int64_t step = 0;
    double rate = 0;
};

std::optional<Interval> intervalOf(const recipe::Node& node)
{
    const recipe::NodePtr step = recipe::find(node, "steps");
    const recipe::NodePtr rate = recipe::find(node, "lr");
    if (!step || !rate || !recipe::asInt(*step) || !recipe::asDouble(*rate))
        return {};
    return Interval { *recipe::asInt(*step), *recipe::asDouble(*rate) };
}

} // namespace

StepSchedule::Rate interval(
    const IntervalConfig& config, std::vector<recipe::Diagnostic>& diagnostics)
{
    std::vector<Interval> intervals;
    for (const recipe::NodePtr& item :
        config.intervals ? config.intervals->items : std::vector<recipe::NodePtr> {}) {
        if (const auto read = intervalOf(*item))
            intervals.push_back(*read);
        else
            diagnostics.push_back({ recipe::Severity::Error, "argument-type",
                "an interval is written {steps: 1000, lr: 0.001}", item->span, {} });
    }
    return [intervals](int64_t step, double current) {
        for (const Interval& entry : intervals)
            if (entry.step == step)
                return entry.rate;
        return current;
    };
}

} // namespace kymo::train
