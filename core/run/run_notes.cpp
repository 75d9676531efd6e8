#include "core/run/run_notes.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/run/run_folder.h"

#include <algorithm>

namespace earwright::run {
namespace {

constexpr int64_t kNotesVersion = 1;

std::filesystem::path notesPath(const RunFolder& folder)
{
    return folder.path / "notes.json";
}

void visitNotes(auto& notes, auto& field)
{
    field("name", notes.name);
    field("tags", notes.tags);
    field("notes", notes.notes);
    field("archived", notes.isArchived);
}

void sortTags(RunNotes& notes)
{
    std::sort(notes.tags.begin(), notes.tags.end());
    notes.tags.erase(std::unique(notes.tags.begin(), notes.tags.end()), notes.tags.end());
}

/// "" = nothing.
std::string wrongIn(const RunNotes& notes)
{
    for (const std::string& tag : notes.tags) {
        if (tag.empty() || tag.find_first_of(" \t\r\n,") != std::string::npos)
            return "the tag " + inQuotes(tag)
                + " is empty or has a blank or a comma; write it as one word, such as "
                  "'best-so-far'";
    }
    if (notes.name.find_first_of("\r\n") != std::string::npos)
        return "the name has more than one line; write it as one";
    std::string all = notes.name + notes.notes;
    for (const std::string& tag : notes.tags)
        all += tag;
    return brokenUtf8At(all) == std::string::npos ? "" : "the text is no UTF-8; save it as UTF-8";
}

} // namespace

Result<RunNotes> readNotes(const RunFolder& folder)
{
    const std::filesystem::path path = notesPath(folder);
    std::error_code unseen;
    if (!std::filesystem::exists(path, unseen) && !unseen)
        return RunNotes {};
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    RunNotes notes;
    int64_t version = 0;
    const Status read = readJson(*text, [&](JsonReader& reader) {
        reader.require("version", version);
        visitNotes(notes, reader);
    });
    const auto wrong = [&path](const std::string& what) {
        return Error { inQuotes(path.string()) + ": " + what };
    };
    if (!read)
        return wrong(read.error().message + "; correct it, or delete the file");
    if (version != kNotesVersion)
        return wrong("version " + std::to_string(version)
            + " is another Earwright's; use that one, or delete the file");
    sortTags(notes);
    return notes;
}

Status writeNotes(const RunFolder& folder, RunNotes notes)
{
    sortTags(notes);
    if (const std::string wrong = wrongIn(notes); !wrong.empty())
        return Error { wrong };
    JsonWriter writer;
    writer("version", kNotesVersion);
    visitNotes(notes, writer);
    return writeFileAtomically(notesPath(folder), writer.text(2) + "\n");
}

Status editNotes(const RunFolder& folder, const std::function<void(RunNotes&)>& edit)
{
    Result<RunNotes> notes = readNotes(folder);
    if (!notes)
        return notes.error();
    edit(*notes);
    return writeNotes(folder, std::move(*notes));
}

void addTag(RunNotes& notes, const std::string& tag)
{
    notes.tags.push_back(tag);
    sortTags(notes);
}

void removeTag(RunNotes& notes, const std::string& tag)
{
    std::erase(notes.tags, tag);
}

} // namespace earwright::run
