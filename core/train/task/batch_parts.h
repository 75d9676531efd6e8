#pragma once

#include "core/data/batch.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::train {

/// What the loss of a batch is: a mean over its utterances or its tokens, or a sum. So much a part
/// of it counts.
enum class LossUnit { Utterances, Tokens, Sum };

// Note [Parts of a batch]
// The batch of an optimizer step is cut twice: into micro-batches that are accumulated, and these
// into one part a rank. A part's loss times its share, summed over all parts, is the loss of the
// whole batch on one rank, whatever the parts' sizes; the gradients likewise. A micro-batch with
// fewer rows than ranks is computed whole by every rank, which then share its share.

/// The share of each part that this rank computes of the micro-batches of one step.
std::vector<double> sharesOf(
    const std::vector<data::Batch>& microBatches, LossUnit unit, int64_t ranks);

/// The rows of a batch in `count` parts of nearly the same size, or one a row where there are
/// fewer; each stays padded as the whole is.
std::vector<data::Batch> cut(const data::Batch& batch, int64_t count);
/// What a part of a micro-batch counts in it.
double shareIn(const data::Batch& batch, const data::Batch& part, LossUnit unit);

/// Pads the micro-batches to the longest of them, waves and tokens, as the whole batch would be:
/// how far a row is padded changes what a convolution or an LSTM makes of it.
void padAlike(std::vector<data::Batch>& microBatches);

/// The whole numbers behind lengths that are relative to a width, float64: float32 lengths of up to
/// 16 million give them back.
torch::Tensor countsOf(const torch::Tensor& lengths_B, int64_t width);

/// "utterance 'u7' of 6.2 s, padded to 8 s": the longest of the rows, which asks for no more memory
/// than the batch is wide.
std::string longestOf(const data::Batch& batch, int sampleRateHz);

// Note [Rows of an augmented batch]
// An Augmenter may make other rows of a batch than it was given, more or fewer or of other lengths
// (concat_original, parallel_augment, repeat_augment, a SpeedPerturb of the batch). What is
// computed from there on is a Batch of these rows, each with the targets and the name of the row
// that it was made of. A part's loss is that over the rows made of it, as upstream's is, and counts
// in the step as the rows that were read: a rank that drew more augmentations than the others
// counts no more.

/// The batch that augmentation made of `batch`: row i of its row rows_B[i] (int64 on the CPU;
/// undefined: the same rows), of these relative lengths of so many samples. Where anything changed,
/// its waves are a tensor without values (at::kMeta): after the features only their sizes are read.
data::Batch remade(const data::Batch& batch, const torch::Tensor& rows_B,
    const torch::Tensor& lengths_B, int64_t samples);

/// Tells each micro-batch what the optimizer step holds (stepSize, stepTokens).
void joinToStep(std::vector<data::Batch>& microBatches);

} // namespace earwright::train
