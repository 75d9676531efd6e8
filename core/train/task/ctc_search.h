#pragma once

#include "core/data/text_encoder.h"
#include "core/decode/ctc_batch.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace earwright::train {

/// How texts are searched in a CTC output.
struct CtcSearchOptions {
    decode::CtcSearch search = decode::ctcBeamSearch;
    decode::CtcBeamOptions beams { .tokenPruneMinLogp = -10.0 };
    std::filesystem::path languageModel; ///< "" = without
    decode::NgramWeights weights;
};

/// What a search listens for in the test of a recipe with `test_beam_search`: the phrases of its
/// `hotword`, of a file with the weights there. Errors name the file.
Result<std::vector<decode::Hotword>> searchedHotwords(const recipe::Node& recipe);

/// The classes that testSearchOf() reads, as the catalogue names them.
std::vector<std::string> ctcSearchClasses();

/// A recipe's `test_beam_search`: the arguments of speechbrain.decoders.ctc.CTCBeamSearcher, as
/// upstream's CTC recipes have them, or a `!name:` of it or of CTCPrefixBeamSearcher. None where
/// the recipe has no such key. Errors name the place: another class, an argument that is not known,
/// a blank that is not the task's.
Result<std::optional<CtcSearchOptions>> testSearchOf(
    const recipe::Node& recipe, int64_t blankIndex);

/// A search that is ready: its language model is open. Where the labels have no blank, or most are
/// ideographs, each is a word to the language model; so are SentencePieces of single ideographs
/// where the language model is one of characters.
class CtcSearcher final {
public:
    /// Errors: a language model or hotwords that cannot be used; a language model in
    /// ctcPrefixBeamSearch over such labels, to which a text is one word.
    static Result<CtcSearcher> open(const CtcSearchOptions& options,
        const std::vector<decode::Hotword>& hotwords, const data::TextEncoder& encoder,
        int64_t blankIndex);

    /// The same, where hotwords that cannot be spelled are no error but a warning: a run that
    /// counts them goes on. An encoder of a single letter stands for one that is not known yet.
    static Result<CtcSearcher> openForTest(const CtcSearchOptions& options,
        const std::vector<decode::Hotword>& hotwords, const data::TextEncoder& encoder,
        int64_t blankIndex);

    /// Of each row one hypothesis at least, best first; none where the log-probabilities are no
    /// numbers. lengths_B: relative; as the loss and the best path read them, no frame is lost.
    std::vector<std::vector<decode::CtcHypothesis>> search(
        const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const;
    /// The best of each row; "" where there is none.
    std::vector<std::string> texts(
        const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const;
    /// Of a language model that does not fit (decode/ngram_fit.h) and of hotwords that are left
    /// out. Or "".
    const std::string& warning() const { return m_warning; }

private:
    CtcSearcher(decode::CtcSearch run, decode::CtcSearchSetting setting)
        : m_run(run)
        , m_setting(std::move(setting))
    {
    }
    void take(
        const std::shared_ptr<const decode::NgramModel>& ngram, const CtcSearchOptions& options);
    Status listenFor(const std::vector<decode::Hotword>& hotwords);
    void warn(const std::string& text);
    decode::CtcSearch m_run;
    decode::CtcSearchSetting m_setting;
    std::string m_warning;
};

} // namespace earwright::train
