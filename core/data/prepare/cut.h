#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace earwright::data {

struct Cut {
    double beginSeconds = 0;
    double endSeconds = -1; ///< negative: to the recording's end
    std::optional<int> channel = std::nullopt; ///< from 0; none = all
};

struct Segment {
    std::string recording; ///< its ID
    Cut cut;
};

/// What a line of Kaldi's segments has behind its ID: "REC 0.00 1.52", with a channel behind it
/// perhaps, from 0. Nothing of any other.
std::optional<Segment> parseSegment(const std::string& rest);

/// An ID as the name of a file: different ones of different IDs, none that leads elsewhere.
std::string fileNameOf(std::string_view id, std::string_view extension = ".wav");

/// Whether a file cannot be written as its name is too long. `added`: bytes that are added to it
/// while the file is written.
bool isNameTooLong(const std::filesystem::path& file, size_t added);
/// Why the utterance of such a name is left out.
constexpr const char* kNameTooLong = "an ID too long for a file name";

/// What cutAudio() made of a part.
struct CutPart {
    double lackingSeconds = 0; ///< that the recording ends before it
    std::string whyNone = {}; ///< "a channel that its recording does not have"; "" = it is written
};

/// Writes a part of a recording as a WAV file of its rate, channels and sample type (16 bit where
/// the recording is compressed); folders are made. An end up to half a second behind the
/// recording's is its end, if the recording has half of the part at least. No file where the
/// recording cannot be read or has no such part or channel. Errors: the file cannot be written.
Result<CutPart> cutAudio(
    const std::filesystem::path& recording, const Cut& cut, const std::filesystem::path& file);

} // namespace earwright::data
