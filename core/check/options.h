#pragma once

#include "core/check/context.h"

namespace earwright::check {

/// Reads every run option from the key of its name at the top of the recipe or below `train_conf`,
/// `number_of_epochs` also from `epoch_counter.limit`, and says for each where its value came from.
/// What nothing gives may be inferred, see inferOptions().
/// Rules: option-type, option-range, option-conflict, deprecated-option, unknown-override.
void readOptions(const recipe::Node& root, const std::string& fileName, Findings& findings);

/// Whether an override gives what stands at the dotted path, its section or a part of it.
bool isAsked(const Request& request, const std::string& path);

/// The devices of the run: the option wins over the recipe's key `device`, and 'auto' leaves it to
/// the recipe. Rule: device-spelling.
void readDevices(const Request& request, const Machine& machine, Findings& findings);

/// SpeechBrain before 1.0 had two switches, auto_mix_prec and bfloat16_mix_prec, where `precision`
/// is now.
void readDeprecated(const recipe::Node& root, const std::string& fileName, Findings& findings);

} // namespace earwright::check
