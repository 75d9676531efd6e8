#include "core/base/json_depth.h"

namespace earwright {

namespace {

/// Where the last quote stands of the string whose first stands at `at`; at the end or beyond it
/// where there is none.
size_t endOfString(std::string_view json, size_t at)
{
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        if (json[at] == '\\')
            ++at;
    }
    return at;
}

} // namespace

/// Up to the first error of a broken text, where the parser ends, both see the same levels.
bool isTooDeep(std::string_view json)
{
    int levels = 0;
    for (size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (c == '"')
            at = endOfString(json, at);
        else if (c == '[' || c == '{')
            ++levels;
        else if (c == ']' || c == '}')
            --levels;
        if (levels > kMostJsonLevels)
            return true;
    }
    return false;
}

} // namespace earwright
