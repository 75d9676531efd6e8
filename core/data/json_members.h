#pragma once

#include "core/base/result.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

using Json = nlohmann::json;

/// A member of a JSON text's outermost object or list.
struct JsonMember {
    std::string key; ///< "" in a list
    int line = 0; ///< where its key is, or where it begins, from 1
    Json value = {};
};

struct JsonMembers {
    Json::value_t outermost = Json::value_t::null; ///< what holds them
    std::vector<JsonMember> all;
};

/// In the text's order, with those whose key was there before, for which a parsed object has no
/// place. None of what is neither object nor list. The error begins with "line N: ": no JSON, or
/// deeper than kMostJsonLevels.
Result<JsonMembers> membersOfJson(std::string_view text);

/// The same of each member by itself. It ends with the first error of `take`, and returns it. Else
/// it gives what holds them.
Result<Json::value_t> eachJsonMember(std::streambuf& text,
    const std::function<Status(JsonMember member, Json::value_t outermost)>& take);

} // namespace earwright::data
