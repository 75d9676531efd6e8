#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// "train", "dev" or "test" of a published part's name ("train-clean-100", "validation",
/// "eval2000"); "" of any other.
std::string groupOf(std::string_view part);

/// Gives the utterances of the part "" to train, dev (an eighth) and test (an eighth) by splitOf():
/// whole speakers where there are three, so that no voice is in two, else each by its ID. Who has
/// more than an eighth of all is for training. Where that leaves dev or test empty, or there are
/// few to choose from, each gets one speaker or utterance, while there are two for training.
void splitRest(Corpus& corpus);

/// The utterances of a part, or of all parts of a group, these by their names. Of an ID that two
/// parts have the first is kept, the others go to `dropped`.
std::vector<Utterance> utterancesOf(const Corpus& corpus, const std::string& name,
    std::map<std::string, std::vector<std::string>>& dropped);

/// Writes what a corpus of published parts has: each part as `folder`/<part>.csv and each group as
/// `folder`/<group>.csv; a group without a part is named in the report, which is written beside
/// them (keepReport()). Those of an earlier preparation are removed. An error where there is no
/// utterance at all.
Result<PrepareReport> writeParts(const Corpus& corpus, const std::filesystem::path& folder);

} // namespace earwright::data
