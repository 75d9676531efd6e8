#pragma once

#include "core/catalog/field.h"
#include "core/language/written.h"
#include "core/recipe/diagnostic.h"

#include <optional>
#include <string>

namespace earwright::language {

/// The place a path names and what is known of it.
struct Slot {
    std::string path;
    std::string key; ///< its last part, "" for an item of a list
    std::optional<WrittenValue> value; ///< none where it is left out
    std::optional<WrittenValue> owner; ///< the mapping or object it is, or would be, written in
    const catalog::Field* field
        = nullptr; ///< null where nobody knows: anything that parses will do
};

Slot slotOf(const Document& document, const std::string& path);
/// The entry of that key in the owner, a merged one too; null where there is none.
const recipe::Entry* entryOf(const Slot& slot);

/// A recipe after an edit, as far as it is needed to see what the edit did.
class Edited final {
public:
    Edited(const Document& before, const recipe::Edit& edit);

    /// The setting's node, where it reads exactly as `text` and nothing else has changed.
    const recipe::Node* accepted(const Slot& slot, const std::string& text) const;
    /// The setting is gone and nothing else has changed.
    bool isWithout(const Slot& slot) const;
    /// A merge gives the setting that the edit has taken out.
    bool isMerged(const Slot& slot) const;

private:
    const Document& m_before;
    Document m_after;
};

} // namespace earwright::language
