#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace earwright::check {

constexpr int kMostNgramOrder = 6; ///< KenLM is built for so many
/// No sum of some leaves what a float holds; real ones are -99 or -100 where a probability is 0.
constexpr double kMostNgramWeight = 1e7;

/// KenLM maps its binary form and believes it, and takes an ARPA text's numbers as they are. This
/// reads a whole file once, within its bounds. "" where no search in it can leave the file or go on
/// for ever, else why not: "it is damaged: …", "line 7: …".
std::string whyNoNgram(const std::filesystem::path& file);

/// The same, remembered while the file has its size and time: a recipe is checked as one types.
std::string whyNoNgramAsBefore(const std::filesystem::path& file);

/// Gives KenLM's binary form a checksum: every changed byte is found from then on. It stands in
/// bytes that KenLM leaves free, so that KenLM's own programs read the file as before.
Status sealBinaryNgram(const std::filesystem::path& file);

/// Each form by itself, for whyNoNgram().
std::string whyNoBinaryNgram(std::string_view file);
std::string whyNoArpa(const std::filesystem::path& file);

} // namespace earwright::check
