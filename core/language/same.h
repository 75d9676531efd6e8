#pragma once

#include "core/recipe/node.h"

#include <string>

namespace earwright::language {

/// A key that is called differently in two trees.
struct Renamed {
    std::string before;
    std::string after;
};

/// An entry of one of the trees that is left out of the comparison.
struct Omitted {
    const recipe::Node* mapping = nullptr;
    const recipe::Entry* entry = nullptr; ///< where it is the mapping's own, what is merged from it
                                          ///< elsewhere is left out too
};

/// What may be otherwise in two trees that are called the same.
struct Allowed {
    Renamed renamed {};
    const recipe::Node* valueBefore = nullptr; ///< equal to `valueAfter`, whatever they are
    const recipe::Node* valueAfter = nullptr;
    Omitted before {};
    Omitted after {};
};

/// Whether two trees are equal in tags, texts, styles and order but for what is allowed. A class
/// without arguments is the same with and without an empty mapping.
bool isSame(const recipe::Node& before, const recipe::Node& after, const Allowed& allowed = {});

} // namespace earwright::language
