#include "core/plan/checked.h"

#include "core/base/text.h"

#include <filesystem>

namespace earwright::plan {

namespace {

/// Of a key that an override has added: that.
std::map<std::string, std::string> placesOf(const recipe::Node& root)
{
    std::map<std::string, std::string> places;
    for (const recipe::Entry& entry : root.entries) {
        const recipe::Span& span = entry.key->span;
        places[entry.key->text] = span.begin.line == 0
            ? entry.key->originText
            : std::filesystem::path(span.file).filename().string() + ":"
                + std::to_string(span.begin.line);
    }
    return places;
}

/// What the text says at the paths of the overrides.
std::map<std::string, std::string> overriddenIn(
    const recipe::NodePtr& written, const std::vector<recipe::Override>& overrides)
{
    std::map<std::string, std::string> texts;
    for (const recipe::Override& override : overrides) {
        const std::string path = join(override.path, ".");
        if (const recipe::NodePtr node = written ? recipe::findPath(*written, path) : nullptr)
            texts[path] = node->text;
    }
    return texts;
}

recipe::Diagnostic isNoRecipe(const check::Request& request)
{
    recipe::Diagnostic diagnostic;
    diagnostic.rule = "foreign-configuration";
    diagnostic.message = "a run needs a recipe, and this is a configuration of another toolkit; "
                         "write it as a recipe first: earwright convert "
        + request.fileName + " --out recipe.yaml";
    diagnostic.span.file = request.fileName;
    return diagnostic;
}

} // namespace

Checked checkRecipe(const check::Request& request, const check::Machine& machine)
{
    check::Findings findings = check::check(request, machine);
    Checked checked;
    checked.diagnostics = std::move(findings.diagnostics);
    if (!findings.recipe || recipe::hasErrors(checked.diagnostics))
        return checked;
    // A configuration of another toolkit may be clean and still names no task of ours.
    if (findings.options.task.empty()) {
        checked.diagnostics.push_back(isNoRecipe(request));
        return checked;
    }
    Plan plan;
    plan.name = std::filesystem::path(request.fileName).stem().string();
    plan.recipeFile = request.fileName;
    plan.recipeText = request.text;
    for (const recipe::Override& override : request.overrides)
        plan.overrides.push_back(override.text);
    plan.overridden = overriddenIn(findings.written, request.overrides);
    plan.places = placesOf(*findings.recipe);
    plan.setRecipe(std::move(findings.recipe), std::move(findings.options));
    plan.devices = std::move(findings.devices);
    plan.provenance = std::move(findings.provenance);
    checked.plan = std::move(plan);
    return checked;
}

} // namespace earwright::plan
