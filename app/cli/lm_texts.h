#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::cli {

/// What `earwright lm` trains on.
struct LmTexts {
    std::vector<std::string> lines;
    std::string note; ///< what was read out of the file, where it is not every line; "" else
};

/// Whether lines of texts may begin with IDs.
enum class LineIds { Recognised, None };

/// The transcripts of a manifest (.csv, .json), "txt" of WeNet's data.list and "target" of FunASR's
/// lists (a JSON object a line), the texts of Kaldi's `text` without their IDs, else the lines.
/// First words are IDs where most lines have something behind them, all are different, of ASCII,
/// and look like it: s1-01, spk_utt, or 0001 if all are of that length; in a file named "text" also
/// others in order. Errors name file and line: bytes that are no UTF-8, a line of a list without a
/// text.
Result<LmTexts> lmTexts(const std::filesystem::path& source, LineIds ids = LineIds::Recognised);

/// Its words separated by single blanks; with `byCharacter` each character with its marks is one.
std::string lmSentence(const std::string& text, bool byCharacter);

} // namespace earwright::cli
