#pragma once

#include "core/data/text_encoder.h"
#include "core/decode/ctc_batch.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace kymo::train {

/// How texts are searched in a CTC output.
struct CtcSearchOptions {
    decode::CtcSearch search = decode::ctcBeamSearch;
    decode::CtcBeamOptions beams { .tokenPruneMinLogp = -10.0 };
    std::filesystem::path languageModel; ///< "" = without
    decode::NgramWeights weights;
};

/// A recipe's `test_beam_search`: the arguments of speechbrain.decoders.ctc.CTCBeamSearcher, as
/// upstream's CTC recipes have them, or a `!name:` of it or of CTCPrefixBeamSearcher. None where
/// the recipe has no such key. Errors name the place: another class, an argument that is not known,
/// a blank that is not the task's.
Result<std::optional<CtcSearchOptions>> testSearchOf(
    const recipe::Node& recipe, int64_t blankIndex);

/// A search that is ready: its language model is open.
class CtcSearcher final {
public:
    /// Errors: a language model or hotwords that cannot be used.
    static Result<CtcSearcher> open(const CtcSearchOptions& options,
        const std::vector<decode::Hotword>& hotwords, const data::TextEncoder& encoder,
        int64_t blankIndex);

    /// Of each row one hypothesis at least, best first. lengths_B: relative.
    std::vector<std::vector<decode::CtcHypothesis>> search(
        const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const;
    /// The best of each row.
    std::vector<std::string> texts(
        const torch::Tensor& logProbs_BTV, const torch::Tensor& lengths_B) const;
    /// Of a language model that cannot help: one of characters where words are searched. Or "".
    const std::string& warning() const { return m_warning; }

private:
    CtcSearcher(decode::CtcSearch run, decode::CtcSearchSetting setting)
        : m_run(run)
        , m_setting(std::move(setting))
    {
    }
    decode::CtcSearch m_run;
    decode::CtcSearchSetting m_setting;
    std::string m_warning;
};

} // namespace kymo::train
