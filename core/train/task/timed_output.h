#pragma once

#include "core/base/result.h"
#include "core/data/batch.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace earwright::train {

/// Of a sound that was heard in parts; in its time.
struct HeardSegment {
    double beginSeconds = 0;
    double endSeconds = 0;
    std::string text;
};

struct TimedText {
    std::string text; ///< of all
    std::vector<HeardSegment> segments; ///< those with a text
};

/// A task whose model writes when something is said, and so hears sounds of any length: by windows,
/// each of which begins where the one before has understood the sound.
class TimedOutput {
public:
    virtual ~TimedOutput() = default;
    /// The error says why this model cannot.
    virtual Status canTellTimes() const = 0;
    /// Of each row of the batch, which is on the CPU. Called as Task::run(). None where `goOn`,
    /// asked between windows where it is not empty, says false.
    virtual std::optional<std::vector<TimedText>> timedTexts(
        const data::Batch& batch, const std::function<bool()>& goOn)
        = 0;
};

} // namespace earwright::train
