#pragma once

#include "core/decode/ctc_vocabulary.h"
#include "core/decode/ngram.h"

#include <string>

namespace earwright::decode {

/// Why an n-gram does not fit what a CTC model writes, and what to make instead: with it texts are
/// worse than without. "" where it fits. It does not where it knows words and the model writes
/// characters or the other way round, or where few of its words begin as the model's do: letters of
/// another case, another language.
std::string ngramMisfit(const NgramModel& model, const CtcVocabulary& vocabulary);

} // namespace earwright::decode
