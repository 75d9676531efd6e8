#pragma once

#include "core/catalog/catalog.h"
#include "core/catalog/read.h"
#include "core/catalog/shape_rules.h"

#include <deque>
#include <functional>
#include <map>

namespace earwright::catalog {

/// The classes with a typed config, by name. Each file of classes/ adds its own.
using ClassTable = std::map<std::string, ClassInfo, std::less<>>;

inline constexpr bool kParameters = true;

template <class Config>
ClassInfo infoOf(const std::string& name, Role role, bool ownsParameters)
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
    return info;
}

template <class Config>
void add(ClassTable& table, const std::string& name, Role role, bool ownsParameters = false)
{
    table.emplace(name, infoOf<Config>(name, role, ownsParameters));
}

void addLayers(ClassTable& table);
void addAdapters(ClassTable& table);
void addParaformer(ClassTable& table);
void addPretrained(ClassTable& table);
void addFeatures(ClassTable& table);
void addTraining(ClassTable& table);
void addSchedules(ClassTable& table);
void addDecoders(ClassTable& table);

/// A class that its own folder registers from before main() on, with its shape rule.
struct RegisteredClass {
    ClassInfo info;
    ShapeRule shape;
};
std::deque<RegisteredClass>& registeredClasses();

} // namespace earwright::catalog
