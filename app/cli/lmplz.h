#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace earwright::cli {

struct NgramTraining {
    std::vector<std::string> sentences; ///< words separated by blanks
    int64_t order = 3;
    std::vector<int64_t> prune; ///< by order: n-grams seen so often or less are left out
    std::string memory = "1G"; ///< to sort in, as lmplz reads it
    std::filesystem::path out; ///< ends in .arpa, else KenLM's binary form is written
};

struct NgramTrained {
    size_t words = 0; ///< of the vocabulary
    /// Counts from which Kneser and Ney's discounts cannot be estimated: 0.5, 1 and 1.5 were taken.
    bool usedFallbackDiscounts = false;
};

/// Trains an n-gram by KenLM's lmplz, which lies beside this program. `out` appears whole or not at
/// all, also where catchInterrupts() has caught one. Errors say what lmplz said.
Result<NgramTrained> trainNgram(const NgramTraining& training);

} // namespace earwright::cli
