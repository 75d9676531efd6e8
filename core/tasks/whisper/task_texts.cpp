#include "core/tasks/whisper/task_texts.h"

#include "core/train/task/batch_parts.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

/// Upstream ends where a position has no vector.
void fitTheirPlaces(
    const torch::Tensor& counts_B, const data::Batch& batch, const SpokenWhisper& whisper)
{
    const int64_t places = whisper.model->sizes().decoder.positions;
    const auto told = std::ssize(whisper.prefix);
    const auto longest = counts_B.argmax().item<int64_t>();
    const auto tokens = static_cast<int64_t>(counts_B[longest].item<double>());
    TORCH_CHECK(told + tokens <= places, "utterance '", batch.ids.at(static_cast<size_t>(longest)),
        "' has a text of ", tokens, " tokens, and the decoder of Whisper has places for ",
        places - told, ": shorten the text, or leave the utterance out");
}

} // namespace

SpokenTexts spokenTexts(const data::Batch& batch, const SpokenWhisper& whisper)
{
    const int64_t rows = batch.tokens_BL.size(0);
    const int64_t width = batch.tokens_BL.size(1);
    const torch::Tensor counts_B = countsOf(batch.tokenLens_B, width);
    fitTheirPlaces(counts_B, batch, whisper);
    const torch::Tensor isPadding_BL = torch::arange(width).unsqueeze(0) >= counts_B.unsqueeze(1);
    const torch::Tensor text_BL
        = batch.tokens_BL.masked_fill(isPadding_BL, whisper.tokens.endOfText);
    const torch::Tensor prefix_BP
        = torch::tensor(whisper.prefix, torch::kInt64).expand({ rows, -1 });
    const torch::Tensor told_BU = torch::cat({ prefix_BP, text_BL }, 1);
    const torch::Tensor targets_BU = torch::constant_pad_nd(
        told_BU.slice(1, 1), { 0, 1 }, static_cast<double>(whisper.tokens.endOfText));
    const auto begun = static_cast<double>(std::ssize(whisper.prefix));
    return { told_BU, targets_BU, (counts_B + begun) / static_cast<double>(told_BU.size(1)) };
}

} // namespace earwright::train
