#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::data {

/// Compares what a resolved recipe says of its special labels and of its outputs with the file of
/// its tokenizer, where there is one or must be (encoderSource(); `tokenizer_conf.token_list` of a
/// FunASR configuration of a Paraformer): the comparison that a new run makes, before it is made.
/// Places are those of the recipe's keys, or of what names the file where a key has its default;
/// fixes are edits of the file `fileName`. Nothing is said of a recipe without a task, nor of keys
/// that its task does not read (`bos_index` of task: ctc). Rules: label-index, label-count,
/// tokenizer-file. A check::FileRule; reads the file on each call.
std::vector<recipe::Diagnostic> checkTokens(
    const recipe::Node& recipe, const std::string& fileName);

} // namespace earwright::data
