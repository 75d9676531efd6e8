#include "core/plan/plan.h"

#include "core/base/json_fields.h"
#include "core/recipe/resolve.h"
#include "core/tasks/read_settings.h"
#include "core/tasks/run_option_fields.h"

#include <nlohmann/json.hpp>

namespace earwright::plan {

using nlohmann::json;

namespace {

constexpr int64_t kVersion = 1;
constexpr JsonRange kVersions { 1, kJsonCount.most };

json optionsToJson(RunOptions options)
{
    json object = json::object();
    options.visit([&](const char* key, auto& member, const char*) { object[key] = member; });
    return object;
}

/// Reads a run option within its range.
class OptionReader final {
public:
    explicit OptionReader(JsonReader reader)
        : m_reader(std::move(reader))
    {
    }
    /// One that the file does not have keeps its default: it is newer than the file.
    template <class T>
    void operator()(const char* key, T& member, const char*)
    {
        const catalog::Field* field = tasks::findRunOption(key);
        if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double>)
            m_reader(key, member, JsonRange { field->facts.min, field->facts.max });
        else
            m_reader(key, member);
    }

private:
    JsonReader m_reader;
};

json provenanceToJson(const std::vector<Provenance>& provenance)
{
    json list = json::array();
    for (const Provenance& entry : provenance)
        list.push_back({ { "key", entry.key }, { "value", entry.value }, { "source", entry.source },
            { "place", entry.place }, { "consumer", entry.consumer } });
    return list;
}

std::vector<Provenance> provenanceOf(JsonReader& reader)
{
    std::vector<Provenance> provenance;
    for (JsonReader& entry : reader.objects("provenance")) {
        Provenance& one = provenance.emplace_back();
        entry.require("key", one.key);
        entry.require("value", one.value);
        entry.require("source", one.source);
        entry.require("place", one.place);
        entry.require("consumer", one.consumer);
    }
    return provenance;
}

json revisionsToJson(const std::vector<Revision>& revisions)
{
    json list = json::array();
    for (const Revision& one : revisions)
        list.push_back({ { "time", one.time }, { "step", one.step }, { "changes", one.changes } });
    return list;
}

std::vector<Revision> revisionsOf(JsonReader& reader)
{
    std::vector<Revision> revisions;
    for (JsonReader& entry : reader.objects("revisions")) {
        Revision& one = revisions.emplace_back();
        entry.require("time", one.time);
        entry.require("step", one.step, kJsonCount);
        entry.require("changes", one.changes);
    }
    return revisions;
}

Plan planOf(JsonReader& reader)
{
    Plan plan;
    reader.require("name", plan.name);
    reader.require("recipe_file", plan.recipeFile);
    reader("working_folder", plan.workingFolder); // newer than version 1
    reader.require("overrides", plan.overrides);
    reader.require("devices", plan.devices);
    plan.options.visit(OptionReader(reader.object("options")));
    plan.provenance = provenanceOf(reader);
    reader("places", plan.places); // newer than version 1
    plan.revisions = revisionsOf(reader); // these too
    reader("overridden", plan.overridden);
    reader("recipe_sha256", plan.recipeSha256);
    reader("resolved_sha256", plan.resolvedSha256);
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

void Plan::setRecipe(recipe::NodePtr resolved, RunOptions given)
{
    recipe = std::move(resolved);
    options = std::move(given);
    settings = recipe ? tasks::readSettings(*recipe, options) : Settings();
}

std::string planToJson(const Plan& plan)
{
    const json object
        = { { "version", kVersion }, { "name", plan.name }, { "recipe_file", plan.recipeFile },
              { "working_folder", plan.workingFolder }, { "overrides", plan.overrides },
              { "devices", plan.devices }, { "options", optionsToJson(plan.options) },
              { "provenance", provenanceToJson(plan.provenance) }, { "places", plan.places },
              { "revisions", revisionsToJson(plan.revisions) }, { "overridden", plan.overridden },
              { "recipe_sha256", plan.recipeSha256 }, { "resolved_sha256", plan.resolvedSha256 } };
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Plan> settingsFromJson(const std::string& text)
{
    const auto refused = [](const Error& error) {
        return Error { "the plan of this run cannot be read: " + error.message };
    };
    Result<JsonReader> reader = JsonReader::parse(text);
    if (!reader)
        return refused(reader.error());
    int64_t version = 0;
    reader->require("version", version, kVersions);
    if (version > kVersion)
        return Error { "this run was planned by a newer Earwright (plan version "
            + std::to_string(version) + "; this one reads up to " + std::to_string(kVersion)
            + "): open it with that one" };
    Plan plan = planOf(*reader);
    if (const Status read = reader->status(); !read)
        return refused(read.error());
    return plan;
}

Result<Plan> planFromJson(const std::string& text, const std::string& resolvedYaml)
{
    Result<Plan> plan = settingsFromJson(text);
    if (!plan)
        return plan;
    Result<recipe::NodePtr> recipe = readRecipe(resolvedYaml);
    if (!recipe)
        return recipe.error();
    plan->setRecipe(*recipe, plan->options);
    return plan;
}

} // namespace earwright::plan
