#pragma once

#include "core/catalog/search_options.h"
#include "core/recipe/diagnostic.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace earwright::settings {

/// The search whose files may come after the training: of the test.
inline constexpr const char* kTestSearch = "test_search";

/// A TransformerLMScorer or an RNNLMScorer.
struct LanguageModelSetting {
    recipe::NodePtr model; ///< the object, of the class that the scorer asks for
    std::filesystem::path weights; ///< "" where SearchSetting::problem says why
    recipe::NodePtr place; ///< the scalar that names them; null where there is none
    std::string key; ///< the scalar's: "pretrainer.paths.lm"
    double weight = 0;
    double temperature = 1;
    int64_t outputs = 0; ///< tokens that it scores
};

/// A KenLMScorer.
struct KenLmSetting {
    std::filesystem::path file;
    recipe::NodePtr place {}; ///< the scalar that names it; null where it is open
    std::vector<std::string> tokens {}; ///< as the n-gram spells the decoder's outputs
    double weight = 0;
    bool isPartial = false;
};

/// A text that a decoder is told before it begins, or the tokens of one.
struct ToldText {
    std::string text; ///< "" where `tokens` say it
    std::vector<int64_t> tokens;
    bool isEmpty() const { return text.empty() && tokens.empty(); }
};

/// What S2SWhisperGreedySearcher and S2SWhisperBeamSearcher have besides.
struct WhisperSearchSetting {
    bool suppressBlank = true;
    std::vector<int64_t> suppressTokens { -1 }; ///< -1: symbols that are not spoken
    ToldText prefix; ///< how the transcript begins
    ToldText prompt; ///< what was said before
    std::optional<int64_t> sampleLen;
};

/// A `valid_search` or `test_search` of a joint model: speechbrain.decoders'
/// S2STransformerGreedySearcher or S2STransformerBeamSearcher, whose ScorerBuilder may hold a
/// CTCScorer, a LengthScorer, a CoverageScorer, a KenLMScorer, a TransformerLMScorer and an
/// RNNLMScorer. Scorers of weight 0 are left out. Or one of Whisper: S2SWhisperGreedySearcher or
/// S2SWhisperBeamSearcher, which has neither CTC nor an attention to cover.
struct SearchSetting {
    bool isGreedy = false;
    /// Of a greedy search, the limits alone. Whisper's tokens and maxTokens are its folder's.
    catalog::S2SBeamOptions options;
    std::optional<WhisperSearchSetting> whisper; ///< of its searches
    std::vector<LanguageModelSetting> languageModels;
    std::optional<KenLmSetting> ngram;
    /// Why it cannot run as things are: no file of a scorer is named. "" where all are.
    std::string problem;
};

/// The classes that readSearch() reads, as the catalogue names them.
std::vector<std::string> searchClasses();

/// Reads one, an entry of the resolved recipe. What cannot be run as it is written is added
/// to `found`, at its place: another class, a scorer that is not known, layers that are not the
/// task's, weights without their scorers, options that do not go together (errors of the rule
/// "search"), and arguments that cannot be read. They are what `earwright check` says and what the
/// trainer refuses by; the setting is not to be used then. What does not resolve is left to others.
/// So is a scorer for whose weights no file is named; of kTestSearch a warning, since the training
/// runs without it. Whether a file is here is not looked at.
SearchSetting readSearch(
    const recipe::Node& root, const recipe::Entry& search, std::vector<recipe::Diagnostic>& found);

/// A search of a recipe, as readSearch() has read it.
struct ReadSearch {
    const recipe::Entry* entry; ///< of the recipe
    SearchSetting setting;
    std::vector<recipe::Diagnostic> found; ///< where it has an error the setting is not to be used
};
/// How a decoder's texts are looked for: `valid_search` and kTestSearch, as far as the recipe has
/// them, in this order. Of a run the recipe with its own copies of their files is to be read.
struct DecodeSettings {
    std::vector<ReadSearch> searches;
};
DecodeSettings decodeSettings(const recipe::Node& root);

/// A problem of kTestSearch's scorers, for people, with what becomes of the run.
std::string untestable(const std::string& problem);

} // namespace earwright::settings
