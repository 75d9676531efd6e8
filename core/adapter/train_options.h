#pragma once

#include "core/recipe/node.h"

#include <optional>
#include <string>

namespace earwright::adapter {

/// A setting of a toolkit's trainer as a run option of Earwright's: `accum_grad: 4` is
/// `grad_accumulation_factor: 4`, `use_bf16: true` is `precision: bf16`. None where there is no
/// such option.
std::optional<recipe::Entry> runOptionOf(const recipe::Entry& setting);

/// Whether a setting turns a precision off, which is so anyway (`use_fp16: false`).
bool isSwitchedOff(const recipe::Entry& setting);

/// Whether a trainer's setting asks for what is so anyway (`use_deepspeed: false` too).
bool isUsual(const recipe::Entry& setting);

/// Of a setting that says what a training logs and keeps, not what it learns: what is so here in
/// its place. "" of every other.
std::string inPlaceOf(const recipe::Entry& setting);

/// What to write instead of a setting that cannot be obeyed; "" where there is nothing.
std::string insteadOf(const recipe::Entry& setting);

} // namespace earwright::adapter
