#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::check {

/// A key with what it is compared by, made once: a recipe may have thousands.
struct Spelling {
    explicit Spelling(std::string key);

    std::string name;
    std::string plainName; ///< without "_" and "-", in lower case
    uint64_t bytes; ///< a bit for every byte that the name has, modulo 64
};

/// What may be meant by a key that nobody reads: the names that are read and not given.
class MissingNames final {
public:
    /// Those of `names` that are no key of `section`.
    MissingNames(const std::vector<std::string>& names, const recipe::Node& section);

    /// The one that `key` misspells: written differently only (numberOfEpochs), one letter off, in
    /// a long name two; "" where there is none. Two known keys that near each other (train_csv,
    /// train_tsv) cannot be confused: known keys are not to be asked for.
    std::string misspelt(const std::string& key) const;

private:
    std::vector<Spelling> m_names;
};

} // namespace earwright::check
