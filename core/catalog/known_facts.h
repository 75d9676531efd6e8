#pragma once

#include "core/catalog/field.h"

#include <string_view>

namespace earwright::catalog {

/// Unit, range and choices of an argument of a class that is known by its signature alone, written
/// by hand from what its formula allows; the facts are added to `field.facts`. Upstream's
/// documentation gives types and defaults only.
void addKnownFacts(std::string_view className, Field& field);

} // namespace earwright::catalog
