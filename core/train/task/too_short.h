#pragma once

#include "core/data/batch.h"
#include "core/train/task/batch_parts.h"

#include <c10/util/Exception.h>
#include <stdexcept>
#include <string>

namespace earwright::train {

/// Whether an error of ATen's says that a sound is shorter than a kernel or than a window's half,
/// for which it has a sentence of each layer.
bool isTooShort(const c10::Error& error);

/// What `work` makes of a batch. Of a batch that is too short for the model the longest utterance
/// is named.
template <class Work>
auto namingShort(const data::Batch& batch, int sampleRateHz, Work&& work)
try {
    return work();
} catch (const c10::Error& error) {
    if (!isTooShort(error))
        throw;
    throw std::runtime_error(longestOf(batch, sampleRateHz) + " is too short for this model ("
        + error.what_without_backtrace()
        + "): take it out of the manifest; in a training set avoid_if_shorter_than does that");
}

} // namespace earwright::train
