#pragma once

#include "core/check/check.h"

#include <memory>
#include <optional>
#include <string>

namespace earwright::language {

/// Lines that two texts have in common at their beginning and at their end.
struct CommonLines {
    int first = 0; ///< lines 1 … first are the same
    int last = 0; ///< so are the last `last` ones
    int before = 0; ///< lines of the one
    int now = 0; ///< lines of the other
};

/// A recipe as an editor holds it: its text as it stands and what is known of it. Immutable, so
/// that the thread that made it and the window may share it.
struct Document {
    check::Request request; ///< text, file name, overrides, devices
    check::Machine machine;
    recipe::NodePtr tree; ///< as written, references unresolved: always a mapping; null where no
                          ///< text has parsed yet; of the last one that did where this one does not
    std::string treeText; ///< the text that `tree` and its places are of
    check::Findings findings; ///< of this text; `recipe` is the last one that resolved
    bool isCurrent = true; ///< `tree` is of this text
    CommonLines common; ///< of `treeText` and this text where they are not the same
};
using DocumentPtr = std::shared_ptr<const Document>;

/// Parses, resolves and checks. `previous` (may be null) lends its tree where this text does not
/// parse: a half-typed line must not take completion and hover away.
DocumentPtr analyse(
    const check::Request& request, const check::Machine& machine, const DocumentPtr& previous);

/// Places of `request.text` and of `treeText`, line by line: they differ where the text does not
/// parse. None where the line was edited since.
std::optional<recipe::Position> toTree(const Document& document, recipe::Position place);
std::optional<recipe::Span> fromTree(const Document& document, const recipe::Span& span);

} // namespace earwright::language
