#pragma once

#include "core/run/utterances.h"
#include "core/score/error_groups.h"

#include <string>
#include <vector>

namespace earwright::cli {

/// What errors can be grouped by: speaker, seconds, rate.
const std::vector<std::string>& groupNames();
/// How the tables below can be printed: text, csv, json.
const std::vector<std::string>& utteranceTableFormats();

/// What was heard in place of what, as one of utteranceTableFormats(). `rate`: Evaluated::rate.
std::string confusionsTable(const std::vector<run::Utterance>& rows, const std::string& rate,
    score::WordSplit split, const std::string& format);

/// The errors of those that are alike, `by` one of groupNames().
std::string groupsTable(const std::vector<run::Utterance>& rows, const std::string& rate,
    const std::string& by, const std::string& format);

} // namespace earwright::cli
