#include "core/plan/plan.h"

#include "core/base/json_depth.h"
#include "core/recipe/resolve.h"

#include <nlohmann/json.hpp>

namespace earwright::plan {

using nlohmann::json;

namespace {

constexpr int kVersion = 1;

json optionsToJson(RunOptions options)
{
    json object = json::object();
    options.visit([&](const char* key, auto& member, const char*) { object[key] = member; });
    return object;
}

/// An option that the file does not have keeps its default: it is newer than the file.
RunOptions optionsFromJson(const json& object)
{
    RunOptions options;
    options.visit([&](const char* key, auto& member, const char*) {
        if (const auto found = object.find(key); found != object.end())
            found->get_to(member);
    });
    return options;
}

json provenanceToJson(const std::vector<Provenance>& provenance)
{
    json list = json::array();
    for (const Provenance& entry : provenance)
        list.push_back({ { "key", entry.key }, { "value", entry.value }, { "source", entry.source },
            { "place", entry.place }, { "consumer", entry.consumer } });
    return list;
}

std::vector<Provenance> provenanceFromJson(const json& list)
{
    std::vector<Provenance> provenance;
    for (const json& entry : list)
        provenance.push_back({ entry.at("key"), entry.at("value"), entry.at("source"),
            entry.at("place"), entry.at("consumer") });
    return provenance;
}

Plan readPlan(const json& object)
{
    Plan plan;
    plan.name = object.at("name");
    plan.recipeFile = object.at("recipe_file");
    plan.workingFolder = object.value("working_folder", ""); // newer than version 1
    object.at("overrides").get_to(plan.overrides);
    object.at("devices").get_to(plan.devices);
    plan.options = optionsFromJson(object.at("options"));
    plan.provenance = provenanceFromJson(object.at("provenance"));
    if (const auto places = object.find("places"); places != object.end()) // newer than version 1
        places->get_to(plan.places);
    return plan;
}

Result<recipe::NodePtr> readRecipe(const std::string& resolvedYaml)
{
    recipe::Resolved resolved = recipe::resolve(resolvedYaml, "resolved.yaml", {});
    for (const recipe::Diagnostic& diagnostic : resolved.diagnostics)
        if (diagnostic.severity == recipe::Severity::Error)
            return Error { "the resolved recipe of this run cannot be read: line "
                + std::to_string(diagnostic.span.begin.line) + ": " + diagnostic.message };
    if (!resolved.root)
        return Error { "the resolved recipe of this run is empty" };
    return resolved.root;
}

} // namespace

std::string planToJson(const Plan& plan)
{
    const json object
        = { { "version", kVersion }, { "name", plan.name }, { "recipe_file", plan.recipeFile },
              { "working_folder", plan.workingFolder }, { "overrides", plan.overrides },
              { "devices", plan.devices }, { "options", optionsToJson(plan.options) },
              { "provenance", provenanceToJson(plan.provenance) }, { "places", plan.places } };
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Plan> settingsFromJson(const std::string& text)
{
    if (isTooDeep(text))
        return Error { "the plan of this run cannot be read: its JSON nests deeper than "
            + std::to_string(kMostJsonLevels) + " levels, which no plan does" };
    // nlohmann throws on a missing or mistyped member; everything about the text ends here.
    try {
        const json object = json::parse(text);
        const int version = object.at("version");
        if (version > kVersion)
            return Error { "this run was planned by a newer Earwright (plan version "
                + std::to_string(version) + "; this one reads up to " + std::to_string(kVersion)
                + "): open it with that one" };
        return readPlan(object);
    } catch (const json::exception& exception) {
        return Error { std::string("the plan of this run cannot be read: ") + exception.what() };
    }
}

Result<Plan> planFromJson(const std::string& text, const std::string& resolvedYaml)
{
    Result<Plan> plan = settingsFromJson(text);
    if (!plan)
        return plan;
    Result<recipe::NodePtr> recipe = readRecipe(resolvedYaml);
    if (!recipe)
        return recipe.error();
    plan->recipe = *recipe;
    return plan;
}

} // namespace earwright::plan
