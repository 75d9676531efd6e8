#include "core/plan/revise.h"

#include "core/base/text.h"
#include "core/check/accepted_keys.h"
#include "core/check/known_keys.h"
#include "core/plan/checked.h"
#include "core/plan/revisable.h"
#include "core/plan/tree_difference.h"
#include "core/recipe/resolve.h"
#include "core/settings/references.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace earwright::plan {
namespace {

using recipe::NodePtr;
using recipe::Override;

std::string pathOf(const Override& override)
{
    return join(override.path, ".");
}

std::string topOf(const std::string& path)
{
    return path.substr(0, path.find('.'));
}

/// As the plan has them: "--a 3" was typed in two words, and dedicated options are named alike.
Result<std::vector<Override>> plannedOverrides(const std::vector<std::string>& texts)
{
    const std::string evalPrecision = "--eval-precision=";
    std::vector<Override> all;
    for (const std::string& text : texts) {
        const size_t end = text.find_first_of("= ");
        const bool isTwoWords = end != std::string::npos && text[end] == ' ';
        std::vector<std::string> words { text };
        if (isTwoWords)
            words = { text.substr(0, end), text.substr(end + 1) };
        else if (text.starts_with(evalPrecision))
            words = { "--eval_precision=" + text.substr(evalPrecision.size()) };
        Result<std::vector<Override>> read = recipe::parseOverrides(words);
        if (!read)
            return read.error();
        Override& one = all.emplace_back(std::move(read->front()));
        one.text = text;
        if (text.starts_with("--precision=") || text.starts_with(evalPrecision))
            one.origin = recipe::Origin::Option;
    }
    return all;
}

/// "cpu:2" of two CPU ranks, "cuda:0,1": as parseDevices() reads it.
std::string devicesText(const std::vector<std::string>& devices)
{
    if (devices.empty() || devices.front() == "cpu")
        return "cpu:" + std::to_string(std::max<size_t>(1, devices.size()));
    std::vector<std::string> numbers;
    for (const std::string& device : devices)
        numbers.push_back(device.substr(device.find(':') + 1));
    return "cuda:" + join(numbers, ",");
}

/// A tree as it comes back from resolved.yaml.
NodePtr asKept(const recipe::Node& tree)
{
    return recipe::resolve(recipe::emitYaml(tree), "resolved.yaml", {}).root;
}

std::map<std::string, nlohmann::json> optionsOf(const RunOptions& options)
{
    std::map<std::string, nlohmann::json> values;
    RunOptions copy = options;
    copy.visit([&](const char* key, auto& member, const char*) { values[key] = member; });
    return values;
}

class Reviser final {
public:
    Reviser(const Plan& plan, const RevisionRequest& request)
        : m_plan(plan)
        , m_request(request)
    {
    }

    Result<Revised> make(const check::Machine& machine, std::vector<recipe::Diagnostic>& found);

private:
    Status readOverrides();
    std::optional<Plan> checked(
        const check::Machine& machine, std::vector<recipe::Diagnostic>& found);
    void readText();
    void keepTask(std::vector<Override>& overrides) const;
    Status compare(const recipe::Node& before, const recipe::Node& after);
    Status checkWords() const;
    Status checkHidden(const Plan& made) const;
    bool isVariable(const std::string& path) const;
    bool followsChangeable(const std::string& path) const;
    Error refused(std::vector<std::string> paths) const;
    Revised revised(const Plan& made, const NodePtr& after) const;

    const Plan& m_plan;
    const RevisionRequest& m_request;
    const bool m_isEdited
        = !m_plan.recipeSha256.empty() && sha256Hex(m_request.recipeText) != m_plan.recipeSha256;
    std::vector<Override> m_kept; ///< the plan's that no word replaces
    std::vector<Override> m_words;
    std::vector<settings::ReferenceUse> m_uses;
    bool m_namesTask = false; ///< the recipe as it lies there
    std::vector<std::string> m_changed; ///< paths that may
};

Status Reviser::readOverrides()
{
    Result<std::vector<Override>> words = recipe::parseOverrides(m_request.words);
    if (!words)
        return words.error();
    Result<std::vector<Override>> kept = plannedOverrides(m_plan.overrides);
    if (!kept)
        return kept.error();
    m_words = std::move(*words);
    m_kept = std::move(*kept);
    std::erase_if(m_kept, [&](const Override& planned) {
        return std::any_of(m_words.begin(), m_words.end(), [&](const Override& word) {
            return optionOf(pathOf(word)) == optionOf(pathOf(planned));
        });
    });
    return Done {};
}

std::optional<Plan> Reviser::checked(
    const check::Machine& machine, std::vector<recipe::Diagnostic>& found)
{
    std::vector<Override> overrides = m_kept;
    overrides.insert(overrides.end(), m_words.begin(), m_words.end());
    keepTask(overrides);
    Checked checked = checkRecipe({ .text = m_request.recipeText,
                                      .fileName = m_plan.recipeFile,
                                      .overrides = std::move(overrides),
                                      .devices = devicesText(m_plan.devices),
                                      .checkFiles = m_request.checkFiles,
                                      .tokenRule = m_request.tokenRule },
        machine);
    // What else there is to say of the recipe was said when the run was planned.
    std::erase_if(checked.diagnostics, [&](const recipe::Diagnostic& one) {
        return one.severity != recipe::Severity::Error
            && std::none_of(m_words.begin(), m_words.end(), [&](const Override& word) {
                   return one.message.find(inQuotes(word.text)) != std::string::npos;
               });
    });
    found = std::move(checked.diagnostics);
    return std::move(checked.plan);
}

void Reviser::readText()
{
    recipe::ResolveOptions options = check::resolveOptions();
    options.keepPlaceholders = true;
    options.keepWritten = true;
    const recipe::Resolved resolved
        = recipe::resolve(m_request.recipeText, m_plan.recipeFile, {}, options);
    if (!resolved.written)
        return;
    m_uses = settings::referenceUses(*resolved.written);
    const NodePtr task = recipe::find(*resolved.written, "task");
    m_namesTask = task && !recipe::isNull(*task);
}

/// What was inferred when the run began holds, whatever would be inferred now.
void Reviser::keepTask(std::vector<Override>& overrides) const
{
    const bool isGiven = std::any_of(overrides.begin(), overrides.end(),
        [](const Override& one) { return pathOf(one) == "task"; });
    if (m_namesTask || isGiven)
        return;
    const NodePtr task = recipe::makeScalar(m_plan.options.task, recipe::Origin::Override);
    task->originText = "--task=" + m_plan.options.task;
    overrides.push_back({ .path = { "task" }, .value = task, .text = task->originText });
}

/// A key of the recipe's own, which takes effect only where others refer to it.
bool Reviser::isVariable(const std::string& path) const
{
    const char* const reader = check::readerOf(topOf(path));
    return (!reader || *reader == '\0') && settings::isReferred(m_uses, topOf(path));
}

/// Whether the value at a path is made of settings that may change.
bool Reviser::followsChangeable(const std::string& path) const
{
    std::set<std::string> seen;
    std::vector<std::string> open { path };
    while (!open.empty()) {
        const std::string at = std::move(open.back());
        open.pop_back();
        if (mayChange(at))
            return true;
        if (!seen.insert(at).second)
            continue;
        for (const settings::ReferenceUse& use : m_uses)
            if (use.path == at || use.path.starts_with(at + "."))
                open.push_back(use.target);
            else if (at.starts_with(use.path + "."))
                open.push_back(use.target + at.substr(use.path.size()));
    }
    return false;
}

Error Reviser::refused(std::vector<std::string> paths) const
{
    constexpr size_t kMost = 5;
    std::vector<std::string> typed;
    for (const Override& word : m_words)
        if (!mayChange(pathOf(word)))
            typed.push_back(inQuotes(word.text));
    if (paths.size() > kMost) {
        paths.resize(kMost);
        paths.emplace_back("…");
    }
    const std::string source = !typed.empty() ? " (" + join(typed, ", ") + ")"
        : m_isEdited                          ? " (recipe.yaml of the run was edited)"
                                              : "";
    return Error { "a resume cannot change " + join(paths, ", ") + source + ", only "
        + changeableSettings() + "; start a new run, with init_param from this one's weights" };
}

/// Each word names a setting that may change, or a key that such a setting may refer to.
Status Reviser::checkWords() const
{
    for (const Override& word : m_words) {
        const std::string path = pathOf(word);
        if (!mayChange(path) && !leadsToChangeable(path) && !isVariable(path))
            return refused({ path });
    }
    return Done {};
}

Status Reviser::compare(const recipe::Node& before, const recipe::Node& after)
{
    std::vector<std::string> wrong;
    std::vector<std::string> variables;
    for (const std::string& path : differences(before, after)) {
        if (mayChange(path) || (mayFollow(path) && followsChangeable(path)))
            m_changed.push_back(path);
        else
            (isVariable(path) ? variables : wrong).push_back(path);
    }
    if (wrong.empty() && m_changed.empty())
        wrong.swap(variables); // nothing that may change refers to them
    if (wrong.empty())
        return Done {};
    wrong.insert(wrong.end(), variables.begin(), variables.end());
    return refused(std::move(wrong));
}

/// An edit of what an override of the start sets has no effect.
Status Reviser::checkHidden(const Plan& made) const
{
    for (const auto& [path, text] : made.overridden) {
        const auto before = m_plan.overridden.find(path);
        if (before == m_plan.overridden.end() || before->second == text)
            continue;
        for (const Override& planned : m_kept)
            if (pathOf(planned) == path && planned.value->text != text)
                return Error { "recipe.yaml of the run says " + path + ": " + text + ", but "
                    + inQuotes(planned.text) + ", given when it was started or resumed, counts; "
                    + (mayChange(path) ? "write `earwright resume RUN --" + path + "=…`"
                                       : "put it back to " + before->second) };
    }
    return Done {};
}

Revised Reviser::revised(const Plan& made, const NodePtr& after) const
{
    Revised revised { .plan = m_plan, .changes = {} };
    Plan& plan = revised.plan;
    const auto before = optionsOf(m_plan.options);
    const auto now = optionsOf(made.options);
    // Those that may not change stay as they were planned, whatever their defaults are by now.
    plan.options.visit([&](const char* key, auto& member, const char*) {
        if (!mayChange(key) || now.at(key) == before.at(key))
            return;
        now.at(key).get_to(member);
        revised.changes.push_back(
            std::string(key) + ": " + now.at(key).dump() + " in place of " + before.at(key).dump());
        for (Provenance& entry : plan.provenance)
            for (const Provenance& other : made.provenance)
                if (entry.key == key && other.key == key)
                    entry = other;
    });
    for (const std::string& path : m_changed)
        if (!now.contains(optionOf(path)) && !path.starts_with("checkpointer."))
            revised.changes.push_back(path + ": " + textAtPath(*after, path) + " in place of "
                + textAtPath(*m_plan.recipe, path));
    plan.recipeText = m_request.recipeText;
    if (revised.changes.empty())
        return revised;
    plan.setRecipe(after, plan.options);
    plan.overridden = made.overridden;
    plan.overrides.clear();
    for (const auto* list : { &m_kept, &m_words })
        for (const Override& override : *list)
            plan.overrides.push_back(override.text);
    return revised;
}

Result<Revised> Reviser::make(const check::Machine& machine, std::vector<recipe::Diagnostic>& found)
{
    if (const Status read = readOverrides(); !read)
        return read.error();
    readText();
    if (const Status fits = checkWords(); !fits)
        return fits.error();
    const std::optional<Plan> made = checked(machine, found);
    if (!made)
        return Error { "the run's recipe has errors with these settings" };
    const NodePtr after = asKept(*made->recipe);
    if (const Status same = compare(*m_plan.recipe, *after); !same)
        return same.error();
    if (const Status obeyed = checkHidden(*made); !obeyed)
        return obeyed.error();
    return revised(*made, after);
}

} // namespace

Result<Revised> revise(const Plan& plan, const RevisionRequest& request,
    const check::Machine& machine, std::vector<recipe::Diagnostic>& found)
{
    return Reviser(plan, request).make(machine, found);
}

} // namespace earwright::plan
