#include "core/train/task/too_short.h"

namespace earwright::train {

bool isTooShort(const c10::Error& error)
{
    const std::string text = error.what_without_backtrace();
    for (const char* sign :
        { "can't be greater than actual input size", "should be less than the corresponding input",
            "Output size is too small", "non-zero size", "is too small" }) {
        if (text.find(sign) != std::string::npos)
            return true;
    }
    return false;
}

} // namespace earwright::train
