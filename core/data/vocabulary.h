#pragma once

#include "core/recipe/diagnostic.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace earwright::data {

/// The labels that a tokenizer has, and what it says of them itself.
struct Vocabulary {
    enum class Kind {
        Pieces, ///< of a SentencePiece model
        Labels, ///< of a label encoder
        Tokens, ///< of FunASR's list
        BytePairs, ///< of a folder of the Hub: Whisper's, for which a recipe names no indices
        WordPieces, ///< of a folder of the Hub: BERT's
    };
    Kind kind = Kind::Labels;
    std::vector<std::string> labels {}; ///< by index
    std::set<int64_t> special {}; ///< those that no text is cut into
    std::optional<int64_t> blank {};
    std::optional<int64_t> bos {};
    std::optional<int64_t> eos {};
    std::optional<int64_t> pad {};
    std::optional<int64_t> unknown {};

    int64_t size() const { return static_cast<int64_t>(labels.size()); }
};

/// Those written as <noise>: no text is cut into them.
std::set<int64_t> specialAmong(const std::vector<std::string>& labels);

/// "the tokenizer has 60 pieces"
std::string sizeText(const Vocabulary& vocabulary);

/// An index of a recipe that the tokenizer contradicts.
struct LabelConflict {
    std::string key; ///< of the recipe: "bos_index"
    std::string message; ///< begins with the key, ends with what to try
    std::optional<int64_t> instead {}; ///< what the key could be set to
    /// A run refuses it: texts have that label, or there is none. All else trains, and is mostly a
    /// mistake.
    bool isUnusable = true;
    recipe::Severity severity = recipe::Severity::Error;
};

/// What of the special labels is out of range, a label that texts are cut into, or another one than
/// the tokenizer's own (an error where the sentence's ends are mixed up, a warning where another
/// special label serves, or where the blank is a piece, which the CTC output then never writes).
/// Nothing is said of byte pairs, nor of SpeechBrain's habit to let <unk> be all of them, where
/// the tokenizer has no label of that kind. `classes`: of the output; below it bos and eos may be
/// indices that the tokenizer has no label for.
std::vector<LabelConflict> labelConflicts(
    const Vocabulary& vocabulary, const settings::SpecialLabels& special, int64_t classes = 0);

} // namespace earwright::data
