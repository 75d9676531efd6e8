#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>

namespace earwright::data {

/// Voicebank (the noisy VCTK of 28 speakers) as upstream's download_vctk() leaves it:
/// clean_ and noisy_{trainset_28spk,testset}_wav_16k, trainset_28spk_txt, testset_txt, and the
/// lexicon of LibriSpeech (OpenSLR 11) as lexicon.txt, of which the phones are made. `sound`:
/// clean_wav or noisy_wav, the member of the manifests that has the path. Speakers p226 and p287
/// are for validation. Utterances with a word that the lexicon lacks are left out: upstream's
/// script has 80 words of its own. Errors: no lexicon, none of the folders.
Result<Corpus> readVoicebank(
    const std::filesystem::path& folder, const std::string& sound, const GoOn& goOn);

} // namespace earwright::data
