#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace earwright::recipe {

/// A text with the content of some block scalars moved to the right. yaml-cpp ends the scalar of
///     - !ref >-
///       text
/// before it begins, because it counts the indentation from the tag; upstream reads it.
struct PaddedText {
    std::string text;
    std::vector<std::pair<size_t, size_t>> insertions; ///< offset in the original, spaces put there

    /// Where a character of the padded text stands in the original.
    size_t originalOffset(size_t padded) const;
};

/// Moves the content of every block scalar that follows a tag or an anchor on the line of a "-".
PaddedText padBlockScalars(std::string_view text);

} // namespace earwright::recipe
