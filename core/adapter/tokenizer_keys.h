#pragma once

#include "core/adapter/convert.h"
#include "core/adapter/recipe_text.h"

namespace earwright::adapter {

/// Writes FunASR's tokenizers as the keys of a recipe: `label_encoder_file` for the token list of a
/// CharTokenizer, a SentencePieceProcessor for a `bpemodel`. False where it is none of those.
/// `tokenizer`: the section's key and object.
bool writeTokenizer(const recipe::Entry& tokenizer, RecipeText& recipe);

/// Writes `vocab_size` where layers refer to it and nothing has set it: the length of the token
/// list or, with a warning, a value that the user must replace. `adapted`: the root of adapt().
void writeTokenCount(const recipe::Node& adapted, const TokenCount& count, RecipeText& recipe);

} // namespace earwright::adapter
