#pragma once

#include "core/data/manifest.h"
#include "core/data/proven_sounds.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
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
    /// The same of utterances' files. Of one that is a part of its recording the header alone is
    /// read, which may be hours: a run decodes the part.
    std::vector<std::optional<Result<AudioInfo>>> probe(const std::vector<Utterance>& utterances);

private:
    using Found = std::optional<Result<AudioInfo>>;
    using File = std::pair<std::string, bool>; ///< and whether its header is enough

    std::vector<Found> probeFiles(const std::vector<File>& files);
    void probeNew(const std::vector<File>& files);

    std::function<bool()> m_goOn;
    ProvenSounds m_proven;
    std::map<File, Found> m_found;
};

} // namespace earwright::data
