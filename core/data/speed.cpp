#include "core/data/speed.h"

#include "core/data/hash.h"

namespace earwright::data {

double chooseSpeed(
    const std::vector<double>& speeds, uint64_t seed, int64_t epoch, std::string_view id)
{
    if (speeds.empty())
        return 1;
    const uint64_t drawn
        = mixBits(mixBits(mixBits(seed) + static_cast<uint64_t>(epoch)) ^ hashText(id));
    return speeds[drawn % speeds.size()];
}

} // namespace earwright::data
