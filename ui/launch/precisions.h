#pragma once

#include "core/check/machine.h"

#include <QComboBox>
#include <QStringList>
#include <set>

namespace earwright::ui {

const QStringList& allPrecisions(); ///< fp32, tf32, fp16, bf16

/// Why these devices cannot train in a precision; "" where they can. `gpus` empty = the processor.
QString precisionRefusal(
    const QString& precision, const std::set<int>& gpus, const check::Machine& machine);

/// "As in the recipe", then every precision; one that is refused is disabled and says why. What was
/// chosen stays chosen unless it is refused now.
void fillPrecisions(QComboBox& combo, const std::set<int>& gpus, const check::Machine& machine);
/// "" = as in the recipe.
QString chosenPrecision(const QComboBox& combo);
void choosePrecision(QComboBox& combo, const QString& precision);

} // namespace earwright::ui
