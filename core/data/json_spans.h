#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// Where a member of a JSON object stands in its text.
struct JsonSpan {
    std::string key;
    std::string_view whole; ///< from its key to the end of its value
    std::string_view value;
};

/// The members of the outermost object, in the text's order, also those whose key was there before.
/// The text must be valid JSON, and outlive them; a byte order mark is passed over.
std::vector<JsonSpan> spansOfJson(std::string_view text);

/// A JSON object's text in which the member `key` has another value; of several the last one, which
/// counts. As it was where the object has no such member. `value` is JSON.
std::string withJsonValue(std::string_view text, std::string_view key, std::string_view value);

} // namespace earwright::data
