#include "core/check/coverage.h"

#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Severity;

namespace {

std::string named(const std::string& key, const std::string& className)
{
    return "'" + key + "' (" + className + ")";
}

std::string named(const Coverage& row)
{
    return named(row.key, row.className);
}

/// "generator" of "models[generator]".
std::string entryName(std::string key)
{
    if (key.ends_with(']'))
        key = key.substr(key.find('[') + 1, key.size() - key.find('[') - 2);
    return key;
}

std::optional<recipe::Fix> addTo(const Context& context, const char* path, const std::string& key)
{
    const recipe::NodePtr mapping = recipe::findPath(context.root, path);
    if (!mapping)
        return {};
    const std::string line = entryName(key) + ": !ref <" + key + ">";
    const std::string& file = context.request.fileName;
    auto fix = settings::addEntry(*mapping, context.request.text, file, line);
    if (const recipe::Entry* entry = settings::findEntry(context.root, path); !fix && entry)
        fix = settings::addFirstEntry(*entry, file, line);
    if (fix)
        fix->title = "Add '" + key + "' to '" + path + "'";
    return fix;
}

/// The list moves what it holds once it stands in `modules` itself.
std::optional<recipe::Fix> addList(const Context& context, const Coverage& row)
{
    auto fix = row.moduleList.empty() ? std::nullopt : addTo(context, "modules", row.moduleList);
    if (fix)
        fix->title += ", the ModuleList that holds it";
    return fix;
}

/// What `valid_search: !copy <test_search>` makes: the searcher's weights are copied with it.
void decodesWithItsOwn(const Coverage& row, Diagnostics& found)
{
    report(found, Severity::Warning, "coverage-decoder-copy",
        named(row.key, catalog::lastPart(recipe::newClass(*row.node)))
            + " decodes with parameters of its own (" + row.className
            + "), which training never reaches: refer to the trained objects with !ref, not !copy",
        row.place);
}

void notInModules(const Context& context, const Coverage& row, Diagnostics& found)
{
    if (!row.waiver.empty()) {
        report(found, Severity::Info, "coverage-evaluation-only",
            named(row) + " is not in 'modules', and need not be: " + row.waiver, row.place);
        return;
    }
    std::string message = named(row)
        + " is not reachable from 'modules': " + (row.isKnown ? "" : "if it has parameters, ")
        + "it would stay on the CPU and not be trained";
    if (!row.moduleList.empty())
        message += "; the ModuleList '" + row.moduleList
            + "' holds it, but outside 'modules' a ModuleList moves nothing to the device";
    // Of a class nobody knows, only what the recipe trains is sure to have parameters.
    const bool isSure = row.isKnown || row.isOptimised || row.isCheckpointed;
    auto& diagnostic = report(found, isSure ? Severity::Error : Severity::Warning,
        "coverage-not-in-modules", message, row.place);
    diagnostic.fix = addTo(context, "modules", row.key);
    if (auto list = addList(context, row))
        diagnostic.otherFixes.push_back(std::move(*list));
}

void notCheckpointed(const Context& context, const Coverage& row, Diagnostics& found)
{
    report(found, Severity::Warning, "coverage-not-checkpointed",
        named(row)
            + " is trained but not reachable from 'checkpointer.recoverables': no checkpoint "
              "would hold it",
        row.place)
        .fix
        = addTo(context, "checkpointer.recoverables", row.key);
}

/// A misspelt waiver would waive nothing, without a word.
void unknownWaivers(const Context& context, Diagnostics& found)
{
    const recipe::NodePtr list = recipe::find(context.root, "evaluation_only");
    std::vector<std::string> keys;
    for (const recipe::Entry& entry : context.root.entries)
        keys.push_back(entry.key->text);
    for (const recipe::NodePtr& name : list ? list->items : std::vector<recipe::NodePtr>()) {
        const std::string text = settings::plainText(name);
        if (text.empty() || recipe::find(context.root, text))
            continue;
        const std::string near = nearestName(text, keys);
        auto& diagnostic = report(found, Severity::Error, "evaluation-only-name",
            "'evaluation_only' names '" + text + "', but the recipe has no such key"
                + (near.empty() ? "" : "; did you mean '" + near + "'?"),
            name->span);
        if (!near.empty())
            diagnostic.fix = settings::replaceScalar(*name, context.request.fileName, near);
    }
}

/// A reference below `modules` that leads nowhere: what is missing there is unknown until it is
/// mended.
bool isBroken(const recipe::Node& modules, const Diagnostics& found)
{
    return std::any_of(found.begin(), found.end(), [&](const recipe::Diagnostic& diagnostic) {
        return diagnostic.rule == "unknown-reference" && diagnostic.span.file == modules.span.file
            && diagnostic.span.begin >= modules.span.begin
            && diagnostic.span.begin < modules.span.end;
    });
}

} // namespace

void coverage(const Context& context, Diagnostics& found)
{
    // Without `modules` there is no training to cover (a tokenizer, a language model to be loaded).
    const recipe::NodePtr modules = recipe::find(context.root, "modules");
    if (!modules || isBroken(*modules, found))
        return;
    const bool hasRecoverables
        = recipe::findPath(context.root, "checkpointer.recoverables") != nullptr;
    unknownWaivers(context, found);
    for (const Coverage& row : coverageOf(context.root)) {
        if (!row.isMoved && row.isDecoder && row.waiver.empty())
            decodesWithItsOwn(row, found);
        else if (!row.isMoved)
            notInModules(context, row, found);
        else if (hasRecoverables && !row.isCheckpointed && row.waiver.empty())
            notCheckpointed(context, row, found);
    }
}

} // namespace earwright::check::rules
