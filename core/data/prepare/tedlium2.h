#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>

namespace earwright::data {

struct Tedlium2Options {
    std::filesystem::path folder; ///< TEDLIUM_release2
    std::filesystem::path cutFolder; ///< for utterances, which are cut out of the talks
    double shortestSeconds = 1; ///< shorter ones are left out of all splits
};

/// TED-LIUM release 2: train|dev|test with sph/TALK.sph and stm/TALK.stm. As upstream: texts of one
/// word, those to be ignored in scoring and the talk JillSobuleMANHATTANINJANUARY_2006 are left
/// out, "'s" and its like join the word before, a last sign that is no letter goes.
Result<Corpus> readTedlium2(const Tedlium2Options& options, const GoOn& goOn);

} // namespace earwright::data
