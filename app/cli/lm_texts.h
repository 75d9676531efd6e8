#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kymo::cli {

/// What `kymo lm` trains on.
struct LmTexts {
    std::vector<std::string> lines;
    std::string note; ///< what was read out of the file, where it is not every line; "" else
};

/// The transcripts of a manifest (.csv, .json), "txt" of WeNet's data.list and "target" of FunASR's
/// lists (a JSON object a line), the texts of Kaldi's `text` without their IDs (by the file's name
/// or where the first words of all lines are different and have a digit), else the lines. Errors
/// name file and line: bytes that are no UTF-8, a line of a list without a text.
Result<LmTexts> lmTexts(const std::filesystem::path& source);

/// Its words separated by single blanks; with `byCharacter` each character is one.
std::string lmSentence(const std::string& text, bool byCharacter);

} // namespace kymo::cli
