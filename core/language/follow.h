#pragma once

#include "core/language/written.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace earwright::language {

/// The key that a reference names, and what stands there.
struct Target {
    const recipe::Entry* entry = nullptr; ///< as written; of the resolved tree where it stands in
                                          ///< an included file
    const recipe::Node* resolved = nullptr; ///< its value after resolution, null = not known
    std::string path; ///< "enc.dropout"
};

/// Follows the keys of references through the recipe as written, so that what they lead to is a
/// place in the text: through other references, into included files. Keeps pointers into the
/// document's trees.
class Follower final {
public:
    explicit Follower(const Document& document);

    /// `keys` as in "<a[b]>"; none where they lead nowhere.
    std::optional<Target> follow(const std::vector<std::string>& keys);
    /// The mapping behind the keys, for its keys: as written, or as resolved where that is not
    /// known; null where there is none. No keys at all: the top level.
    const recipe::Node* mappingAt(const std::vector<std::string>& keys);

private:
    struct Cursor {
        const recipe::Node* written = nullptr; ///< null below an included file
        const recipe::Node* resolved = nullptr;
        std::string path;
    };
    using Index = std::unordered_map<std::string_view, const recipe::Entry*>;

    bool settle(Cursor& cursor);
    std::optional<Cursor> walk(const std::vector<std::string>& keys, const recipe::Entry*& last);
    const recipe::Entry* entryOf(const recipe::Node* mapping, std::string_view key);

    Cursor m_root;
    size_t m_depth = 0;
    /// Lists of keys are long at the top level only, and there every reference looks.
    std::unordered_map<const recipe::Node*, Index> m_indices;
};

} // namespace earwright::language
