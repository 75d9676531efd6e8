#pragma once

#include "core/catalog/catalog.h"

namespace earwright::catalog {

/// What upstream's own documentation leaves out of a generated signature: a line of help, the type
/// of an argument without an annotation, the words that an argument takes. Written by hand after
/// the sources; changes nothing that is documented.
void addKnownWords(ClassInfo& info);

} // namespace earwright::catalog
