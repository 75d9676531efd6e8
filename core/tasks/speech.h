#pragma once

#include "core/tasks/spec.h"

#include <initializer_list>

namespace earwright::tasks {

// What the tasks of SpeechBrain's recipes share.

/// Features to the output layer of CTC.
const std::vector<settings::KnownKey>& speechKeys();

/// Whether the CTC loss, `ctc_cost` or `compute_cost`, is k2's, in whose place LibTorch's is taken.
bool hasK2Loss(const recipe::Node& root);
/// Its name in the catalogue.
inline constexpr const char* kK2Loss = "speechbrain.integrations.k2_fsa.losses.ctc_k2";

/// `blank_index` and, of a k2 loss, the ends of words and `<unk>`, which its lexicon has.
settings::SpecialLabels speechSpecialLabels(const recipe::Node& root);
/// `output_neurons`, unless BEST-RQ pretrained the encoder, and the argument of the output layer.
Names speechClassPaths(const recipe::Node& root);
/// That of a pretrained encoder with its `downsampler` and `upsampling`, or `compute_features`
/// (hop), `CNN` (strides), `enc` or `model` (time pooling of a CRDNN). What it does not know counts
/// as no subsampling, so that frames are rather too many than too few.
std::optional<settings::FrameRate> speechFrameRate(const recipe::Node& root, int sampleRateHz);

/// The names of CTC's output layer; the first that is given counts.
inline constexpr std::initializer_list<const char*> kCtcOutputs
    = { "ctc_lin", "output", "output_lin" };
/// Null where there is none.
const recipe::Entry* ctcOutput(const recipe::Node& root);

/// Frames that `upsampling: True` makes of one: the outputs of ctcOutput() by `output_neurons`; 1
/// without it, where the one is no multiple of the other, and of a task that runsDownsampler() not.
int64_t upsampledFrames(const recipe::Node& root);

/// Seconds of an utterance for which SpeechBrain's own wav2vec 2.0 has positions; none: any.
std::optional<double> encodableSeconds(const recipe::Node& root, int sampleRateHz);

} // namespace earwright::tasks
