#include "core/train/optim/parameter_groups.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fnmatch.h>

namespace kymo::train {

namespace {

constexpr const char* kKey = "optim_param_groups";

struct Named {
    std::string name;
    ParameterGroup group;
};

Error refused(const recipe::Entry& entry, const std::string& why)
{
    return Error { entry.key->span.file + ":" + std::to_string(entry.key->span.begin.line) + ": "
        + kKey + ": '" + entry.key->text + "' " + why };
}

Result<Named> named(const recipe::Entry& entry)
{
    const recipe::NodePtr lr = recipe::find(*entry.value, "lr");
    if (!lr || entry.value->entries.size() != 1)
        return refused(entry, "takes a learning rate and nothing else, such as {lr: 0.0001}");
    const auto rate = recipe::asDouble(*lr);
    if (!rate || !std::isfinite(*rate) || *rate <= 0)
        return refused(entry, "needs an lr above 0; what is not to learn goes into freeze_param");
    return Named { entry.key->text, { .parameters = {}, .lr = rate } };
}

/// A name without wildcards says more than one with, and the more the longer it is.
std::pair<bool, int64_t> specificityOf(const std::string& name)
{
    const auto isWild = [](char letter) {
        return std::string_view("*?[]").find(letter) != std::string_view::npos;
    };
    const auto wild = std::count_if(name.begin(), name.end(), isWild);
    return { wild == 0, std::ssize(name) - wild };
}

/// The most specific name that fits; null where none does.
Named* groupOf(const std::string& parameter, std::vector<Named>& groups)
{
    Named* found = nullptr;
    for (Named& group : groups)
        if (isNamed(parameter, group.name)
            && (!found || specificityOf(group.name) > specificityOf(found->name)))
            found = &group;
    return found;
}

/// Of an entry that has no parameters.
std::string whyEmpty(const std::string& wanted, const NamedParameters& parameters)
{
    const bool isTaken = std::any_of(parameters.begin(), parameters.end(),
        [&](const auto& parameter) { return isNamed(parameter.first, wanted); });
    return isTaken ? "names only parameters that more specific names have taken"
                   : "names no trainable parameter";
}

} // namespace

bool isNamed(const std::string& parameter, const std::string& wanted)
{
    return fnmatch(wanted.c_str(), parameter.c_str(), 0) == 0
        || fnmatch((wanted + ".*").c_str(), parameter.c_str(), 0) == 0;
}

Status freeze(const std::string& freezeParam, const NamedParameters& parameters)
{
    for (const std::string& part : split(freezeParam, ',')) {
        const std::string wanted(trim(part));
        bool isKnown = wanted.empty();
        for (const auto& [name, parameter] : parameters) {
            if (!isNamed(name, wanted))
                continue;
            parameter.requires_grad_(false);
            isKnown = true;
        }
        if (!isKnown)
            return Error { "freeze_param: no parameter is called '" + wanted
                + "' or begins with it and a dot; 'kymo inspect' lists the keys of modules, "
                  "placement/rank0.tsv of a run the names below each" };
    }
    const auto learnsNot = [](const auto& parameter) { return !parameter.second.requires_grad(); };
    if (!parameters.empty() && std::all_of(parameters.begin(), parameters.end(), learnsNot))
        return Error { "freeze_param: it names all parameters: nothing would be trained" };
    return Done {};
}

bool isFrozen(const std::string& freezeParam, const std::string& parameter)
{
    const std::vector<std::string> parts = split(freezeParam, ',');
    return std::any_of(parts.begin(), parts.end(),
        [&](const std::string& part) { return isNamed(parameter, std::string(trim(part))); });
}

Result<std::vector<ParameterGroup>> parameterGroups(
    const recipe::Node& recipe, const NamedParameters& parameters)
{
    const recipe::NodePtr asked = recipe::find(recipe, kKey);
    std::vector<recipe::Entry> entries;
    if (asked && !recipe::isNull(*asked))
        entries = asked->entries;
    std::vector<Named> groups;
    for (const recipe::Entry& entry : entries) {
        Result<Named> group = named(entry);
        if (!group)
            return group.error();
        groups.push_back(std::move(*group));
    }
    ParameterGroup rest;
    for (const auto& [name, parameter] : parameters) {
        Named* group = groupOf(name, groups);
        (group ? group->group : rest).parameters.push_back(parameter);
    }
    std::vector<ParameterGroup> all { std::move(rest) };
    for (size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].group.parameters.empty())
            return refused(entries[i], whyEmpty(groups[i].name, parameters));
        all.push_back(std::move(groups[i].group));
    }
    return all;
}

} // namespace kymo::train
