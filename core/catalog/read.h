#pragma once

#include "core/catalog/field.h"
#include "core/recipe/diagnostic.h"

#include <vector>

namespace kymo::catalog {

/// The list of fields of a config, from its own visit(): names, types, defaults, facts.
template <class Config>
std::vector<Field> fieldsOf();

/// Fills a config from a resolved `!new:`/`!name:` node. Mapping arguments go by name, sequence
/// arguments by position in the order of visit(). Wrong types, values out of range, unknown and
/// missing arguments become diagnostics at their place (rules: argument-type, argument-range,
/// unknown-argument, missing-argument); the member then keeps its default.
template <class Config>
Config readConfig(const recipe::Node& node, std::vector<recipe::Diagnostic>& diagnostics);

/// The same of a config whose arguments are keys of a mapping that has others too.
template <class Config>
Config readKeys(const recipe::Node& mapping, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace kymo::catalog

#include "core/catalog/read_impl.h"
