#pragma once

#include "core/data/prepare/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

struct LibriheavyOptions {
    std::filesystem::path folder; ///< of Libri-Light: small, medium and large
    std::filesystem::path manifestFolder; ///< has libriheavy_cuts_PART.jsonl.gz
    std::vector<std::string> parts; ///< large, dev, test_clean …; none = all that have a list
};

/// Libriheavy: parts of Libri-Light's recordings, which are not cut out. As upstream's script:
/// texts in capitals by capitalWords(), without those of fewer than 3 characters; from 1 to 100
/// seconds. dev and test lie in `large`. Errors: a list that cannot be read, told with its line.
Result<Corpus> readLibriheavy(const LibriheavyOptions& options, const GoOn& goOn);

} // namespace earwright::data
