#pragma once

#include "core/tasks/paraformer/sizes.h"
#include "core/tasks/spec.h"

#include <optional>
#include <span>
#include <string_view>

namespace earwright::tasks::paraformer {

// What the set-up of a Paraformer's run refuses, in its words.

/// A number or word that stands beside its key: behind a reference other users would change too.
std::optional<recipe::Fix> fixOf(
    const Checked& recipe, const recipe::Entry& entry, const std::string& text);

/// What a key's object is built as; any other would be of no use to the task.
struct Layer {
    const char* key;
    std::string_view name;
    const char* said; ///< by the set-up of the run, whose words these are
};
/// Of those that can be trained: what cannot be, or is not known, is said by others.
void otherClass(const Checked& recipe, const Layer& layer, settings::Diagnostics& found);

/// A token that is a mark.
struct Mark {
    const char* key;
    int64_t usual; ///< where the key is not given
};
/// A token beyond the last would be read outside the decoder's output.
void otherMarks(const Checked& recipe, std::span<const Mark> marks, settings::Diagnostics& found);
std::vector<Mark> usualMarks();

/// What a decoder has besides its layers.
struct Part {
    const char* key;
    const char* argument;
    bool isWanted;
    const char* why;
};
void otherPart(const Checked& recipe, const Part& part, settings::Diagnostics& found);

void tellMisfits(
    const Checked& recipe, const std::vector<SizeMisfit>& misfits, settings::Diagnostics& found);

/// The share of the CTC loss; none where it is not given or cannot be read, which is told.
std::optional<double> ctcWeight(const Checked& recipe, settings::Diagnostics& found);

// Rules.

/// What FunASR's model classes take besides their parts are keys of the recipe itself.
void arguments(const Checked& recipe, settings::Diagnostics& found);
void ctcBranch(const Checked& recipe, settings::Diagnostics& found);
void marks(const Checked& recipe, settings::Diagnostics& found);
void decoderParts(const Checked& recipe, settings::Diagnostics& found);
void sizes(const Checked& recipe, settings::Diagnostics& found);

} // namespace earwright::tasks::paraformer
