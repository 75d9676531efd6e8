#pragma once

#include "core/base/result.h"
#include "core/decode/hotword_rate.h"
#include "core/score/error_rate.h"
#include "core/train/recogniser.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace earwright::cli {

using Json = nlohmann::ordered_json;

bool hasText(const data::Utterance& utterance); ///< a manifest has a transcript of it, or says ""

/// The phrases to count, and the training's texts: nothing where they cannot be read.
struct CountedHotwords {
    std::vector<std::string> phrases;
    std::optional<std::vector<std::string>> trainTexts;
};

/// How texts are compared.
struct Scoring {
    score::WordSplit wordSplit {};
    std::function<std::string(const std::string&)> scored; ///< what of a text is: Recogniser's
};

/// The second file of writeAlignments(): "wer-characters.txt" beside "wer.txt".
std::filesystem::path alignmentsByCharacter(const std::filesystem::path& file);

/// What `earwright transcribe` says of texts beside their transcripts; of those without words by
/// character alone (score/text_scores.h).
class TranscriptScores final {
public:
    /// An entry of `heard` for each utterance. Those that have no text are not scored. Hotwords are
    /// counted in the texts as they are written.
    TranscriptScores(const std::vector<data::Utterance>& utterances,
        const std::vector<train::Heard>& heard, const Scoring& scoring,
        const CountedHotwords& hotwords);

    /// No utterance has a transcript of a letter.
    bool isEmpty() const { return m_byCharacter.empty(); }
    /// Lines: "%WER 12.50 [ … ]; 95 % interval 10.20 to 14.90", the same by character, recall,
    /// precision and F1 of the hotwords, and of those that no training text has.
    std::string text() const;
    /// {"WER": {percent, errors, tokens, low, high}, "CER": …, "hotwords": …}
    nlohmann::ordered_json json() const;
    /// Alignments as a run's wer_test.txt into `file`, and those by character beside it
    /// (alignmentsByCharacter()). Texts without words have the first alone.
    Status writeAlignments(const std::filesystem::path& file) const;
    /// topErrorText() of words, or of characters where texts have no words.
    std::string topErrors(int64_t most) const;

private:
    std::vector<score::Scored> m_byWord; ///< none where texts have no words
    std::vector<score::Scored> m_byCharacter;
    std::vector<std::string> m_speakers; ///< of the scored utterances
    std::optional<decode::HotwordCounter> m_hotwords;
    bool m_knowsTraining = false;
};

} // namespace earwright::cli
