#pragma once

#include "core/catalog/field.h"
#include "core/recipe/diagnostic.h"

#include <vector>

namespace earwright::catalog {

/// A config says `static constexpr bool kAcceptsAnyArgument = true;` where upstream takes **kwargs.
template <class Config>
constexpr bool acceptsAnyArgument()
{
    if constexpr (requires { Config::kAcceptsAnyArgument; })
        return Config::kAcceptsAnyArgument;
    else
        return false;
}

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
Config readKeys(const recipe::Node& mapping, std::vector<recipe::Diagnostic>& diagnostics)
{
    recipe::Node own;
    own.kind = recipe::Kind::Mapping;
    own.span = mapping.span;
    for (const Field& field : fieldsOf<Config>()) {
        for (const recipe::Entry& entry : mapping.entries)
            if (entry.key->text == field.name)
                own.entries.push_back(entry);
    }
    return readConfig<Config>(own, diagnostics);
}

} // namespace earwright::catalog
