#pragma once

#include "core/data/manifest.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

struct IdPlace {
    std::string id;
    int line = 0;
};

/// Every id with its line, repeated ones too; none where the text is no JSON.
std::vector<IdPlace> idsOfJson(std::string_view text);

/// The rows of a JSON manifest in the file's order; paths still hold their placeholder. Errors
/// begin with "line N: ".
Result<std::vector<Utterance>> parseJsonManifest(std::string_view text);

} // namespace earwright::data
