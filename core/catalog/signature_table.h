#pragma once

#include "core/catalog/catalog.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::catalog {

/// What upstream's sources say of a class: kind, arguments, defaults and help, generated from them
/// (resources/catalog). Lines are read when they are first asked for, the entry then lives as long
/// as the program. Null where unknown. Safe from any thread.
const ClassInfo* findSignature(std::string_view name);

/// The name that an alias stands for ("speechbrain.decoders.S2SRNNBeamSearcher"), any other name as
/// it is.
std::string_view canonicalName(std::string_view name);

/// What follows `prefix` in the aliases that begin with it: "SANMEncoder" … of
/// "funasr.tables.encoder_classes.", the names that FunASR's registry has for its classes.
std::vector<std::string> aliasesBelow(std::string_view prefix);

/// Every name of the table that a recipe may use, aliases left out, sorted.
const std::vector<std::string>& signatureNames();

} // namespace earwright::catalog
