#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

/// Debian's asterisk-core-sounds-<lang>-wav with the transcripts of asterisk-core-sounds-<lang>.
struct PromptsOptions {
    std::filesystem::path sounds = {}; ///< folder with NAME.wav, subfolders included
    std::filesystem::path transcripts = {}; ///< lines "name: text", plain or gzip
    std::filesystem::path outFolder = {};
};

/// Splits by a hash of the prompt's name; prompts that say the same stay in one split, so that no
/// text of the test is trained on. Texts with digits or markup are dropped: the voice says
/// something else. Errors name the file.
Result<PrepareReport> preparePrompts(const PromptsOptions& options);

} // namespace earwright::data
