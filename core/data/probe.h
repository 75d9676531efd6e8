#pragma once

#include "core/data/proven_sounds.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace earwright::data {

/// ProvenSounds::prove() of many files, on all cores, and of a file that is named again once: it
/// keeps what it found of the last ones. What cannot be told by a header and a last sample is
/// decoded whole, once.
class Prober final {
public:
    /// `goOn`: before each file, in any thread; false ends it, with nothing of those that were
    /// left.
    explicit Prober(std::function<bool()> goOn = [] { return true; })
        : m_goOn(std::move(goOn))
    {
    }
    std::vector<std::optional<Result<AudioInfo>>> probe(const std::vector<std::string>& paths);

private:
    using Found = std::optional<Result<AudioInfo>>;

    void probeNew(const std::vector<std::string>& paths);

    std::function<bool()> m_goOn;
    ProvenSounds m_proven;
    std::unordered_map<std::string, Found> m_found;
};

} // namespace earwright::data
