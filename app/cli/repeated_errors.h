#pragma once

#include "core/run/snapshot.h"

namespace earwright::cli {

/// Ranks that end for the failure of another say the same as that one, which is told once. What a
/// rank says again is another failure of its own.
class RepeatedErrors final {
public:
    /// Of the next line of a run's log: whether another rank's error just said it.
    bool has(const run::LogLine& line)
    {
        if (line.level != "error" || line.rank < 0) {
            m_last = {};
            return false;
        }
        if (m_last.text == line.text && m_last.rank != line.rank)
            return true;
        m_last = line;
        return false;
    }

private:
    run::LogLine m_last; ///< the ranks' latest error that is told
};

} // namespace earwright::cli
