#pragma once

#include "core/base/text.h"

#include <string_view>

namespace earwright {

/// Calls `take` with each part of codePoints(), of which none is copied: a manifest has many
/// millions.
template <class Take>
void eachCodePoint(std::string_view utf8, Take&& take)
{
    for (size_t at = 0, length = 0; at < utf8.size(); at += length) {
        length = codePointLength(utf8, at);
        take(utf8.substr(at, length));
    }
}

} // namespace earwright
