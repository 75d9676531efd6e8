#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::language {

enum class Collection { BlockMapping, BlockList, FlowMapping, FlowList };

/// A collection that is open at the caret.
struct Frame {
    using Keys = std::shared_ptr<std::vector<std::string>>;

    Collection kind = Collection::BlockMapping;
    size_t column = 0; ///< of a block collection, from 0
    std::string tag; ///< its own: "!new:torch.nn.Linear"
    Keys keys; ///< all that are written in it, also behind the caret
    std::string key; ///< the entry that is open, "" before its colon
    size_t index = 0; ///< the item of a list that is open, from 0
    std::string valueTag; ///< tag of the open entry's or item's value
    bool hasValue = false; ///< the open entry has one already
    Keys childKeys; ///< of the block mapping that may follow as the open entry's value
};

enum class Role { None, Key, Value, Tag };

/// What the caret stands in. Offsets are bytes of the text.
struct Place {
    Role role = Role::None; ///< None: a comment, or where nothing can be said
    std::vector<Frame> frames; ///< outermost first, never empty
    size_t begin = 0; ///< the word around the caret; begin == end where there is none
    size_t end = 0;
    bool isFollowedByColon = false; ///< the word is a key with its colon

    /// The way from the top level to the innermost collection; a list's item is "[0]".
    std::vector<std::string> path() const;
};

/// Reads a recipe line by line without asking that it be right: indentation, dashes, brackets,
/// quotes, tags and comments decide. A line that fits nowhere is passed over.
Place scan(std::string_view text, size_t caret);

} // namespace earwright::language
