#pragma once

#include "core/distributed/group.h"
#include "core/plan/plan.h"
#include "core/run/event_log.h"
#include "core/run/run_folder.h"

#include <functional>
#include <optional>
#include <string>

namespace earwright::train {

/// What the outside may ask of a rank at any time. Safe from any thread.
struct Requests {
    std::function<bool()> stop; ///< finish the step, save, leave
    std::function<bool()> checkpoint; ///< true once per request
    std::function<bool()> pause; ///< stand still until it is false
    std::function<std::optional<double>()> learningRate; ///< a new one, once per request
    std::function<void(const std::string& phase, int64_t step)> at
        = [](const std::string&, int64_t) {}; ///< where training is
};

/// How a training, or a stretch of it, ended: Stopped where the run is to leave.
enum class Outcome { Done, Stopped };

/// What a trainer and each of its parts work with; all outlive it.
struct TrainerContext {
    const plan::Plan& plan;
    const run::RunFolder& folder;
    distributed::Group& group;
    run::EventWriter& events;
    const Requests& requests;
    c10::Device device;
    int64_t attempt = 0; ///< 0 = first start
};

} // namespace earwright::train
