#pragma once

#include "core/catalog/catalog.h"
#include "core/catalog/read.h"

#include <functional>
#include <map>

namespace earwright::catalog {

/// The classes with a typed config, by name. Each file of classes/ adds its own.
using ClassTable = std::map<std::string, ClassInfo, std::less<>>;

inline constexpr bool kParameters = true;

template <class Config>
void add(ClassTable& table, const std::string& name, Role role, bool ownsParameters = false)
{
    ClassInfo info;
    info.name = name;
    info.role = role;
    info.ownsParameters = ownsParameters;
    info.acceptsAnyArgument = acceptsAnyArgument<Config>();
    info.fields = fieldsOf<Config>();
    info.checkArguments = [](const recipe::Node& node, std::vector<recipe::Diagnostic>& found) {
        readConfig<Config>(node, found);
    };
    table.emplace(name, std::move(info));
}

void addLayers(ClassTable& table);
void addParaformer(ClassTable& table);
void addFeatures(ClassTable& table);
void addTraining(ClassTable& table);
void addSchedules(ClassTable& table);
void addDecoders(ClassTable& table);

} // namespace earwright::catalog
