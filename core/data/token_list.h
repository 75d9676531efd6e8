#pragma once

#include "core/base/result.h"
#include "core/data/vocabulary.h"

#include <filesystem>

namespace earwright::data {

/// FunASR's `token_list`: a .json file that is a list of texts, or a text file of one token a line,
/// whose indices are their places. Of its special tokens those of the names that FunASR gives them
/// have a part: <blank> (or <blk>), <s> (<sos>), </s> (<eos>), <unk>. Errors name the file: it
/// cannot be read, is no UTF-8, with the line, is no such list, or has a token twice, with both
/// indices.
Result<Vocabulary> readTokenList(const std::filesystem::path& file);

} // namespace earwright::data
