#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace earwright::data {

/// The labels of a model of the Hub that was trained by CTC on characters.
struct HubVocabulary {
    std::vector<std::string> labels; ///< by index, the blank between words as " "
    int64_t blank = 0;
    std::string unknown = "<unk>"; ///< the label for all letters that have none; it may be none

    bool hasUnknown() const;
    /// As TextEncoder::load() reads it.
    std::string labelFile() const;
    /// The characters of the texts that no label is.
    std::set<std::string> lacking(const std::vector<std::string>& texts) const;
};

/// vocab.json of a folder: its `|` (tokenizer_config.json: word_delimiter_token) is the blank
/// between words, its <unk> (unk_token there) what has no label, and its pad_token_id (config.json)
/// CTC's blank. Errors: no such file, labels of
/// several languages, as MMS has them, indices that are not 0, 1, …
Result<HubVocabulary> readHubVocabulary(const std::filesystem::path& folder);

} // namespace earwright::data
