#pragma once

#include "core/base/result.h"
#include "core/data/byte_pairs.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// The tokens of Whisper's vocabulary that are no part of a text. Not every published folder names
/// the timestamps: they are the indices behind <|notimestamps|>.
struct WhisperTokens {
    int64_t endOfText = 0; ///< eos, and what pads
    int64_t startOfTranscript = 0; ///< bos
    int64_t translate = 0;
    int64_t transcribe = 0;
    int64_t startOfLm = 0;
    int64_t startOfPrev = 0;
    int64_t noTimestamps = 0;
    int64_t firstTimestamp = 0; ///< 0.00 s
    std::map<std::string, int64_t, std::less<>> languages {}; ///< "en" -> its token
};
/// An error names what the vocabulary lacks.
Result<WhisperTokens> whisperTokens(const BytePairs& pairs);
/// BytePairs::read() of a folder whose vocabulary has these tokens; else an error that names it.
Result<BytePairs> readWhisperPairs(const std::filesystem::path& folder);

/// "en" of "english", "English" or "en", aliases ("castilian") too. An error lists what there is.
Result<std::string> whisperLanguage(std::string_view nameOrCode);

struct WhisperPrompt {
    std::optional<std::string> language {}; ///< name or code; SpeechBrain takes "en" for none
    std::string task = "transcribe"; ///< or "translate"
    bool isMultilingual = false; ///< the model's: settings::isMultilingualWhisper()
};
/// What a decoder begins with, as SpeechBrain sets prefix_tokens: <|startoftranscript|>,
/// of a model of many languages the language and the task, <|notimestamps|>. Errors: a language or
/// a task that there is not.
Result<std::vector<int64_t>> prefixTokens(const WhisperTokens& tokens, const WhisperPrompt& prompt);

/// Of symbols that are not spoken, such as brackets and notes: SpeechBrain's
/// Whisper.non_speech_tokens, in rising order.
std::vector<int64_t> nonSpeechTokens(const BytePairs& pairs);
/// What S2SWhisperGreedySearcher and S2SWhisperBeamSearcher never write, in rising order: `asked`,
/// in which -1 stands for nonSpeechTokens(), and with any of it the tasks and the beginnings. None
/// where nothing is asked.
std::vector<int64_t> suppressedTokens(
    const BytePairs& pairs, const WhisperTokens& tokens, const std::vector<int64_t>& asked);
/// What they do not write first with suppress_blank: a blank, and the end.
std::vector<int64_t> blankTokens(const BytePairs& pairs, const WhisperTokens& tokens);

} // namespace earwright::data
