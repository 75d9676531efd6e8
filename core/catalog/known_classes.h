#pragma once

#include "core/catalog/catalog.h"

#include <span>

namespace kymo::catalog {

/// A class that recipes name and Kymo knows by kind only: what it is and whether it has parameters
/// to move and train.
struct KnownClass {
    const char* name;
    Role role;
    bool ownsParameters;
};

std::span<const KnownClass> knownClasses();

/// Another spelling of a name of the catalogue.
struct Alias {
    const char* alias;
    const char* name;
};

std::span<const Alias> aliases();

} // namespace kymo::catalog
