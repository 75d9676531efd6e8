#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace earwright {

/// Of lists and objects in each other: ten times what Earwright writes.
constexpr int kMostJsonLevels = 64;

/// Whether a JSON text nests deeper than that. nlohmann's parser reads any depth, but whatever
/// copies, compares or prints such a value calls itself once a level and overflows the stack.
bool isTooDeep(std::string_view json);

/// As Json::parse(text, nullptr, false), for texts of files that anyone may have written: the value
/// is discarded, which is no object, where the text is no JSON and where it is too deep.
template <class Json>
Json parseShallow(std::string_view text)
{
    return isTooDeep(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

} // namespace earwright
