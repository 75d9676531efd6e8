#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// TIMIT (LDC93S1): train|test/DRn/SPEAKER/SENTENCE.wav beside .phn and .wrd, in small or capital
/// letters; `folder` is it, or holds TIMIT. As upstream's recipes have it: the sentences SA1 and
/// SA2 are left out, validation and test are 50 and 24 speakers of the test folder, the 61 phones
/// become 39 and silences in a row one. IDs are SPEAKER_SENTENCE in small letters; of each
/// utterance there are the words and the phones. Errors: no such folder.
Result<Corpus> readTimit(const std::filesystem::path& folder, const GoOn& goOn);

} // namespace earwright::data
