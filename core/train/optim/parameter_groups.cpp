#include "core/train/optim/parameter_groups.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fnmatch.h>
#include <set>
#include <utility>

namespace earwright::train {

namespace {

constexpr const char* kGroupsKey = "optim_param_groups";

struct NamedGroup {
    std::string name;
    ParameterGroup group;
};

Error refused(const recipe::Entry& entry, const std::string& why)
{
    return Error { entry.key->span.file + ":" + std::to_string(entry.key->span.begin.line) + ": "
        + kGroupsKey + ": '" + entry.key->text + "' " + why };
}

Result<NamedGroup> namedGroup(const recipe::Entry& entry)
{
    const recipe::NodePtr lr = recipe::find(*entry.value, "lr");
    if (!lr || entry.value->entries.size() != 1)
        return refused(entry, "takes a learning rate and nothing else, such as {lr: 0.0001}");
    const auto rate = recipe::asDouble(*lr);
    if (!rate || !std::isfinite(*rate) || *rate <= 0)
        return refused(entry, "needs an lr above 0; what is not to learn goes into freeze_param");
    return NamedGroup { entry.key->text, { .parameters = {}, .lr = rate } };
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
NamedGroup* groupOf(const std::string& parameter, std::vector<NamedGroup>& groups)
{
    NamedGroup* found = nullptr;
    for (NamedGroup& group : groups)
        if (isNamed(parameter, group.name)
            && (!found || specificityOf(group.name) > specificityOf(found->name)))
            found = &group;
    return found;
}

bool isOfAny(const NamedParameters& parameters, const std::string& wanted)
{
    return std::any_of(parameters.begin(), parameters.end(),
        [&](const auto& parameter) { return isNamed(parameter.first, wanted); });
}

/// The name or pattern with another part between its dots, or else the nearest name of a branch; ""
/// where nothing is near.
std::string meantBy(const std::string& wanted, const NamedParameters& parameters)
{
    std::set<std::string> parts;
    std::set<std::string> branches;
    for (const auto& [name, parameter] : parameters) {
        for (const std::string& part : split(name, '.'))
            parts.insert(part);
        for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
            branches.insert(name.substr(0, dot));
        branches.insert(name);
    }
    std::vector<std::string> words = split(wanted, '.');
    for (std::string& word : words) {
        const std::string written
            = std::exchange(word, nearestName(word, { parts.begin(), parts.end() }));
        if (!word.empty() && isOfAny(parameters, join(words, ".")))
            return join(words, ".");
        word = written;
    }
    return nearestName(wanted, { branches.begin(), branches.end() });
}

/// What to write in the place of a name that no parameter has.
std::string hint(const char* key, const std::string& wanted, const NamedParameters& parameters)
{
    const std::string meant = meantBy(wanted, parameters);
    if (!meant.empty())
        return "; do you mean " + inQuotes(meant) + "?";
    return std::string(
               "; `earwright inspect RECIPE --tensors` lists the names in a recipe without ")
        + key;
}

/// Of an entry that has no parameters.
std::string whyEmpty(const std::string& wanted, const NamedParameters& parameters)
{
    return isOfAny(parameters, wanted)
        ? "names only parameters that more specific names have taken"
        : "names no trainable parameter" + hint(kGroupsKey, wanted, parameters);
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
                + "' or begins with it and a dot" + hint("freeze_param", wanted, parameters) };
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
    const recipe::NodePtr asked = recipe::find(recipe, kGroupsKey);
    std::vector<recipe::Entry> entries;
    if (asked && !recipe::isNull(*asked))
        entries = asked->entries;
    std::vector<NamedGroup> groups;
    for (const recipe::Entry& entry : entries) {
        Result<NamedGroup> group = namedGroup(entry);
        if (!group)
            return group.error();
        groups.push_back(std::move(*group));
    }
    ParameterGroup rest;
    for (const auto& [name, parameter] : parameters) {
        NamedGroup* group = groupOf(name, groups);
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

} // namespace earwright::train
