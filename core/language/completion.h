#pragma once

#include "core/language/document.h"

#include <functional>
#include <string>
#include <vector>

namespace earwright::language {

enum class CompletionKind { Key, Class, Argument, Reference, Value, File };

struct Completion {
    CompletionKind kind = CompletionKind::Key;
    std::string label; ///< "negative_slope"
    std::string detail; ///< one line beside it: "float, default 0.01", "speechbrain.nnet.linear"
    std::string help; ///< of the catalogue; "" where it says nothing
    recipe::Edit edit; ///< what choosing it writes: replaces the word at the caret
};

/// Names of a folder's entries (a folder ends in "/"); for file paths.
using ListFolder = std::function<std::vector<std::string>(const std::string& folder)>;
/// A ListFolder that looks on disk; no names where the folder cannot be read.
std::vector<std::string> entriesOf(const std::string& folder);

/// What may stand at `caret` of `text`, best first: keys of the task and run options at the top
/// level, arguments of the class whose mapping the caret is in, class names after "!new:" (any part
/// of the name finds it), keys after "<" and "[" in a reference, choices of an argument, devices,
/// precisions, True and False as values, paths where a value looks like one. The text need not
/// parse: the line and its indentation decide, `document` knows the rest.
std::vector<Completion> complete(std::string_view text, recipe::Position caret,
    const Document& document, const ListFolder& listFolder = {});

} // namespace earwright::language
