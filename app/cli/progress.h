#pragma once

#include "core/run/run_folder.h"
#include "core/run/snapshot.h"

#include <functional>
#include <string>
#include <vector>

namespace earwright::cli {

/// Shows a run on standard error: one line redrawn on a terminal, else a line every few seconds and
/// at every validation.
std::function<void(const run::Snapshot&)> progressPrinter();

/// "1:02:03" or "4:05"; "?" for negative seconds.
std::string durationText(double seconds);

/// Columns padded to their widest cell (in code points), headed by the first row.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A warning a line of what the event files lack; of many, the first 20 and their number.
std::string damageLines(const std::vector<run::LogDamage>& damage);

/// The last lines of `earwright train`: state, test WER and CER, the interval of the one that
/// counts (the other is not shown where texts have no words), damage of the log, where the run is.
std::string resultText(const run::RunFolder& folder, const run::Snapshot& snapshot);

} // namespace earwright::cli
