#pragma once

#include "core/settings/known_key.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace earwright::settings {

inline constexpr Reader kLabelsReader { "data::TextEncoder" };

/// Where labels that no text has are put. bos, eos: the ends of a sentence, for a decoder; one that
/// shares its index with another special label is that label.
struct SpecialLabels {
    int64_t blank = 0;
    std::optional<int64_t> bos {};
    std::optional<int64_t> eos {};
    bool addUnk = false; ///< upstream's add_unk(): a label for characters that the texts have not;
                         ///< words always have it, pieces their model's
    bool endsWords = false; ///< of characters: the blank between words ends the last one too
    const char* bosLabel = "<bos>"; ///< SpeechBrain's; FunASR's are "<s>" and "</s>"
    const char* eosLabel = "<eos>";
    std::optional<int64_t> pad {}; ///< what a decoder does not see: a label that it may share
    const char* blankKey = "blank_index"; ///< the recipe's names, for messages
    const char* bosKey = "bos_index";
    const char* eosKey = "eos_index";
};

/// A label of a whole utterance, a token of its own: "<|zh|>".
struct UtteranceLabel {
    std::string member; ///< of its row in FunASR's JSON Lines: "text_language"
    std::string usual; ///< where the row has none, and of other manifests
    std::vector<std::string> choices {}; ///< empty: any token
};

/// How many labels the output layers of a resolved recipe tell apart.
struct OutputClasses {
    std::string path; ///< of the setting that says so: "output_neurons"; "" where there is none
    int64_t count = 0; ///< 0: not known
};

} // namespace earwright::settings
