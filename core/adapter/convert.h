#pragma once

#include "core/adapter/toolkit.h"
#include "core/base/result.h"
#include "core/recipe/diagnostic.h"

#include <functional>
#include <string>
#include <vector>

namespace earwright::adapter {

/// A configuration written as a recipe.
struct Converted {
    std::string text; ///< HyperPyYAML; every part says in a comment where it came from
    std::vector<recipe::Diagnostic> diagnostics; ///< adapt()'s, and what could not be converted
                                                 ///< (rule: not-converted)
};

/// How many tokens FunASR's token list has, or why it cannot be read.
using TokenCount = std::function<Result<int64_t>(const std::string& file)>;

struct ConvertOptions {
    TokenCount countTokens = {};
    int64_t numRanks = 1; ///< of the run: FunASR's batches are of each, here they are of all
};

/// Sections of known classes become `!new:` objects with the sizes that the toolkit would have
/// given them, the model's settings and the trainer's become keys at the top under the names of
/// Earwright's run options, `modules` lists what has parameters. Layers that a SeACo-Paraformer
/// builds of its settings are written out, a SenseVoiceSmall's table of queries, and so are
/// FunASR's defaults where they are others than Earwright's (ctc_weight, grad_clip, max_epoch). A
/// tokenizer's token list becomes `label_encoder_file`, and its length `vocab_size` where
/// `countTokens` tells it. FunASR's lists of utterances are the manifests where they are given. A
/// model that no task trains has no text, and an error (whyUntrained()). What has no counterpart is
/// kept as written and named in a diagnostic, an error where an override asked for it. `root`:
/// resolved. `fileName` is for the comments.
Converted convert(const recipe::NodePtr& root, Toolkit toolkit, const std::string& fileName,
    const ConvertOptions& options = {});

} // namespace earwright::adapter
