#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/supervised.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/run/run_notes.h"

#include <iostream>

namespace earwright::cli {

namespace {

/// "best,fp16" -> best, fp16.
std::vector<std::string> tagsOf(const Arguments& given, const char* option)
{
    const std::optional<std::string> text = given.option(option);
    return text ? split(*text, ',') : std::vector<std::string>();
}

/// What is wrong with the words of the command; "" = nothing.
std::string labelMisuse(const Result<Arguments>& given)
{
    if (!given)
        return given.error().message;
    if (given->positional.empty())
        return "which run?";
    if (given->has("--archive") && given->has("--unarchive"))
        return "--archive or --unarchive, not both";
    if (given->has("--name") && given->has("--no-name"))
        return "--name or --no-name, not both";
    if (given->has("--name") && given->positional.size() > 1)
        return "--name is for one run; name one";
    return given->options.size() - (given->has("--runs-dir") ? 1 : 0) == 0
        ? "nothing to change: give --tag, --untag, --note, --name, --archive or another option"
        : "";
}

void changeNotes(run::RunNotes& notes, const Arguments& given)
{
    for (const std::string& tag : tagsOf(given, "--tag"))
        run::addTag(notes, tag);
    for (const std::string& tag : tagsOf(given, "--untag"))
        run::removeTag(notes, tag);
    if (const auto text = given.option("--note"))
        notes.notes = *text;
    if (given.has("--no-note"))
        notes.notes.clear();
    if (const auto name = given.option("--name"))
        notes.name = *name;
    if (given.has("--no-name"))
        notes.name.clear();
    if (given.has("--archive") || given.has("--unarchive"))
        notes.isArchived = given.has("--archive");
}

} // namespace

int runLabel(const std::vector<std::string>& words)
{
    const Result<Arguments> given
        = parseNames(words, { "--runs-dir", "--tag", "--untag", "--note", "--name" },
            { "--archive", "--unarchive", "--no-note", "--no-name" });
    if (const std::string wrong = labelMisuse(given); !wrong.empty())
        return usageError("label", wrong);
    const std::filesystem::path root
        = given->option("--runs-dir").value_or(run::defaultRunsRoot().string());
    std::vector<run::RunFolder> folders;
    for (const std::string& name : given->positional) {
        const Result<run::RunFolder> folder = findRun(name, root);
        if (!folder) {
            std::cerr << "earwright: " << folder.error().message << "\n";
            return engine::kRecipeErrors;
        }
        folders.push_back(*folder);
    }
    for (const run::RunFolder& folder : folders) {
        const Status changed
            = run::editNotes(folder, [&](run::RunNotes& notes) { changeNotes(notes, *given); });
        if (!changed) {
            std::cerr << "earwright: " << changed.error().message << "\n";
            return engine::kFailed;
        }
    }
    return engine::kDone;
}

} // namespace earwright::cli
