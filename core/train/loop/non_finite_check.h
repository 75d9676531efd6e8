#pragma once

#include "core/train/step_metrics.h"
#include "core/train/trainer_context.h"

#include <optional>
#include <string>

namespace earwright::train {

/// Ends a run whose numbers are not finite in too many steps in a row (nonfinite_patience).
class NonFiniteCheck final {
public:
    explicit NonFiniteCheck(const TrainerContext& context)
        : m_in(context)
    {
    }

    /// Writes of this rank's rows which were not finite. Errors: too many in a row. Throws
    /// distributed::Echo where they were others' rows.
    Status check(const Reading& reading);
    /// The first such step of this attempt, in words; "" = there was none, or of others' rows.
    std::string first() const { return m_first.value_or(""); }

private:
    const TrainerContext& m_in;
    int64_t m_inARow = 0;
    std::optional<std::string> m_first;
};

} // namespace earwright::train
