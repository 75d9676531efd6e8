#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

struct RepeatedId {
    std::string id;
    int line = 0; ///< where it is given again, from 1
    int firstLine = 0;
};

/// Every id of a manifest that is given again. None where the text is no manifest: readManifest()
/// says why.
std::vector<RepeatedId> repeatedIdsOfCsv(std::string_view text);
std::vector<RepeatedId> repeatedIdsOfJson(std::string_view text);

} // namespace earwright::data
