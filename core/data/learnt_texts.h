#pragma once

#include "core/base/result.h"
#include "core/catalog/configs/tokenizer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace earwright::data {

/// What a tokenizer is trained on.
struct LearntTexts {
    std::vector<std::string> texts;
    bool arePart = false; ///< some of a run's were left out: its pieces may be others, and more
};

/// Those of `text_file` where there is such a file, else of `annotation_train`'s column, else the
/// training texts; cut and joined as `num_sequences` and `char_format_input` say. An error where
/// they cannot be read.
Result<std::vector<std::string>> textsToLearn(
    const catalog::SentencePieceConfig& config, std::vector<std::string> trainingTexts);

/// As many bytes of texts: each once, then as many of their repeats as there is room for.
LearntTexts learntTexts(const std::vector<std::string>& texts, size_t mostBytes);

} // namespace earwright::data
