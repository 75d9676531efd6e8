#pragma once

#include "core/data/manifest_survey.h"

#include <string>

namespace earwright::cli {

/// A row an utterance of a manifest: "csv" or "json". As JSON {"utterances": […], "alphabet": …}.
std::string manifestTable(const data::ManifestSurvey& survey, const std::string& format);

/// What to say of all rows, a line each: "312 rows, 0.4 h, 12 speakers".
std::string manifestSummary(const data::ManifestSurvey& survey, const data::SurveyOptions& options);

} // namespace earwright::cli
