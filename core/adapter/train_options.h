#pragma once

#include "core/recipe/node.h"

#include <optional>
#include <string>

namespace earwright::adapter {

/// A setting of a toolkit's trainer as a run option of Earwright's: `accum_grad: 4` is
/// `grad_accumulation_factor: 4`, `use_bf16: true` is `precision: bf16`. None where there is no
/// such option.
std::optional<recipe::Entry> runOptionOf(const recipe::Entry& setting);

/// Whether a setting asks for what is so anyway (`use_fp16: false`).
bool isSwitchedOff(const recipe::Entry& setting);

/// Whether it says what a training logs and keeps, not what it learns.
bool isBookkeeping(const recipe::Entry& setting);

/// A setting of FunASR's dataset_conf as a recipe's key: `shuffle: false` is `sorting: original`,
/// `batch_size` is the same where `batch_type` counts utterances. None where there is no such key.
std::optional<recipe::Entry> loaderOptionOf(
    const recipe::Node& section, const recipe::Entry& setting);

/// The same of dataset_conf (`shuffle: true`).
bool isUsual(const recipe::Entry& setting);

} // namespace earwright::adapter
