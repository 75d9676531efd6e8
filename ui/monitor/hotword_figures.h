#pragma once

#include "core/run/snapshot.h"

#include <QString>

#include <optional>

namespace earwright::ui {

/// How the phrases of a run's list were heard in one evaluation, in percent. A figure has no value
/// where nothing of its kind was spoken or heard, and none has one without a list.
struct HotwordFigures {
    std::optional<double> recall; ///< of the phrases spoken, the share that was recognised
    std::optional<double> precision; ///< of the phrases recognised, the share that was spoken
    std::optional<double> f1; ///< their harmonic mean
};

/// Of all phrases, or of those in no training text alone.
enum class Phrases { All, Unseen };
HotwordFigures hotwordsOf(
    const run::Snapshot& snapshot, const run::Evaluated& evaluated, Phrases which);

/// "recall 90.48 %, precision 80.00 %, F1 84.92 %", without what has no value.
QString hotwordText(const HotwordFigures& figures);

} // namespace earwright::ui
