#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace earwright::run {

struct RunFolder;

/// What people say of a run, in RUN/notes.json: it changes nothing of what the run computes.
struct RunNotes {
    std::string name {}; ///< in place of the recipe's; "" = none
    std::vector<std::string> tags {}; ///< each once, in alphabetical order
    std::string notes {}; ///< any text
    bool isArchived = false; ///< left out of lists that do not ask for it

    bool operator==(const RunNotes&) const = default;
};

/// Those of a run without the file are empty. The error names the file and what is wrong in it.
Result<RunNotes> readNotes(const RunFolder& folder);
/// Replaces the file at once, for any reader: the old notes or the new. The error says what may not
/// be written: a tag that is empty, or has a blank or a comma, a name of more than one line, what
/// is no UTF-8.
Status writeNotes(const RunFolder& folder, RunNotes notes);
/// Reads, edits and writes them.
Status editNotes(const RunFolder& folder, const std::function<void(RunNotes&)>& edit);

void addTag(RunNotes& notes, const std::string& tag);
void removeTag(RunNotes& notes, const std::string& tag);

} // namespace earwright::run
