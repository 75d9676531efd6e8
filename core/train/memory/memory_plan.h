#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::train {

/// What a rank knows of its memory: how many rows of how many samples did not fit into it. More
/// rows, or longer ones, will not either. A value.
class MemoryPlan final {
public:
    /// Rows padded to as many samples did not fit.
    void tooMuch(int64_t rows, int64_t samples);
    /// In how many parts to compute a batch: the least power of two whose parts are not known not
    /// to fit, at most one part a row.
    int64_t parts(int64_t rows, int64_t samples) const;

    /// [[rows, samples], …], as it lies in a checkpoint.
    std::string text() const;
    static Result<MemoryPlan> from(const std::string& text);

private:
    struct Size {
        int64_t rows = 0;
        int64_t samples = 0;
    };
    bool isTooMuch(const Size& size) const;

    std::vector<Size> m_tooMuch; ///< none holds another
};

} // namespace earwright::train
