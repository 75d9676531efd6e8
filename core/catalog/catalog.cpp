#include "core/catalog/catalog.h"

#include "core/catalog/class_table.h"
#include "core/catalog/signature_table.h"
#include "core/catalog/source.h"

#include <algorithm>

namespace earwright::catalog {

namespace {

/// The documentation of upstream's fits a hand-written config that says nothing itself.
void completeFrom(const ClassInfo& upstream, ClassInfo& info)
{
    info.help = upstream.help;
    for (Field& field : info.fields)
        for (const Field& documented : upstream.fields)
            if (field.name == documented.name && *field.facts.help == '\0')
                field.facts.help = documented.facts.help;
}

const ClassTable& table()
{
    static const ClassTable built = [] {
        ClassTable entries;
        addLayers(entries);
        addAdapters(entries);
        addParaformer(entries);
        addPretrained(entries);
        addFeatures(entries);
        addTraining(entries);
        addSchedules(entries);
        addDecoders(entries);
        for (const RegisteredClass& own : registeredClasses())
            entries.emplace(own.info.name, own.info);
        for (auto& [name, info] : entries) {
            if (const ClassInfo* upstream = findSignature(name))
                completeFrom(*upstream, info);
            info.source = sourceOf(name);
        }
        return entries;
    }();
    return built;
}

} // namespace

std::deque<RegisteredClass>& registeredClasses()
{
    static std::deque<RegisteredClass> classes;
    return classes;
}

const ClassInfo* findClass(std::string_view name)
{
    const auto entry = table().find(canonicalName(name));
    return entry == table().end() ? findSignature(name) : &entry->second;
}

const std::vector<std::string>& classNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = trainableClassNames();
        all.insert(all.end(), signatureNames().begin(), signatureNames().end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }();
    return names;
}

std::vector<std::string> trainableClassNames()
{
    std::vector<std::string> names;
    for (const auto& [name, info] : table())
        if (info.trainable)
            names.push_back(name);
    return names;
}

} // namespace earwright::catalog
