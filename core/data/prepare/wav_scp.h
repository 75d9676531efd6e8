#pragma once

#include <optional>
#include <string>

namespace earwright::data {

/// What an entry of Kaldi's wav.scp names.
struct Source {
    std::string path = {};
    std::string whyNone = {}; ///< where it names no file
    std::optional<int> channel = std::nullopt; ///< from 1, that a command takes: read the file only
                                               ///< where there is no other
};

/// A path; or the file of a command that does no more than Earwright's own reading, which decodes,
/// averages channels and converts the rate: "flac -c -d -s F |", "cat F |", and sox, ffmpeg and
/// sph2pipe with options for that alone. Nothing is executed: of other commands, as those with
/// effects, and of archives there is no file.
Source sourceOf(const std::string& entry);

/// Why a command's utterances are left out: what of it, as "sox: remix", would be lost.
std::string whyNotExecuted(const std::string& what);

} // namespace earwright::data
