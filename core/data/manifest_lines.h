#pragma once

#include "core/data/manifest.h"

#include <functional>
#include <streambuf>

namespace earwright::data {

/// Whether a manifest is a list of FunASR's, a JSON object on each line, by its ending: .jsonl.
bool isListOfLines(const std::filesystem::path& file);

/// The rows of FunASR's JSON Lines, {"key", "source", "source_len", "target", "target_len"}, in the
/// file's order, and of its other members those that `labels` names. `source_len` counts frames of
/// 10 ms. A row without `key` is called by its line:
/// "line 7". Empty lines are passed over. It ends with the first error of `take`, and returns it.
/// Errors begin with "line N: ". Source: funasr.datasets.audio_datasets.index_ds.IndexDSJsonl.
Status eachRowOfLines(std::streambuf& text, const std::vector<std::string>& labels,
    const std::function<Status(Utterance utterance)>& take);

/// The ID of each row and its line, as far as the file can be read.
Status eachIdOfLines(
    std::streambuf& text, const std::function<void(const std::string& id, int line)>& take);

} // namespace earwright::data
