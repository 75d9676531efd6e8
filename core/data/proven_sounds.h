#pragma once

#include "core/data/audio.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

namespace earwright::data {

/// Which sound files were decoded to their end and are sound, remembered from run to run by their
/// SHA-256 in $XDG_CACHE_HOME/earwright/sounds-1 (else in ~/.cache). A file whose size and time of
/// change are as they were then is not read again; one that was moved or copied is not decoded
/// again. Where the folder cannot be written nothing is remembered. Safe from any thread.
class ProvenSounds final {
public:
    ProvenSounds();
    ~ProvenSounds(); ///< writes what is new
    ProvenSounds(const ProvenSounds&) = delete;
    ProvenSounds& operator=(const ProvenSounds&) = delete;

    /// As probeAudio() of what is AudioInfo::isPlain. All else, compressed or floating-point
    /// numbers, is decoded to its end (readThrough()) unless that was done. `sum`: its SHA-256,
    /// where known.
    Result<AudioInfo> prove(const std::string& path, const std::string& sum = "");

private:
    /// Of a file that is there; {} of any other.
    struct Stamp {
        int64_t bytes = -1;
        int64_t changed = 0; ///< ns; moves also where the time of writing is set back
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stampOf(const std::string& path);
    static std::string cacheFile();
    void read(const std::string& file);
    bool isProven(const std::string& path, const Stamp& stamp);
    Status proveSum(const std::string& path, const std::string& sum);
    void remember(const std::string& path, const Stamp& stamp, const std::string& sum);

    const std::string m_file; ///< "" = none
    std::mutex m_mutex; // guards all below
    bool m_isRead = false;
    std::map<std::string, Stamp> m_stamps; ///< by path
    std::unordered_set<std::string> m_sums;
    std::string m_fresh; ///< lines to write
};

} // namespace earwright::data
