#pragma once

#include "core/adapter/recipe_text.h"
#include "core/base/names.h"

namespace earwright::adapter {

/// Keys that FunASR's command lines add to a configuration: its sections, the lists of utterances
/// and what its programs are told beside the training.
const Names& commandKeys();

/// Of those that are no section: `train_data_set_list` and `valid_data_set_list` become `train_csv`
/// and `valid_csv`, and a `dataset` that is read otherwise is refused. What an override says of the
/// others is refused with what to write instead, or named where it changes nothing that is learnt.
/// False where it is none of them.
bool writeCommandKey(const recipe::Entry& entry, RecipeText& recipe);

} // namespace earwright::adapter
