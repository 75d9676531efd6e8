#pragma once

#include "core/run/snapshot.h"
#include "ui/widgets/theme.h"

#include <QString>

#include <vector>

namespace earwright::ui {

/// Something about a run its owner should look at.
struct Alert {
    Tone tone = Tone::Warning;
    QString title;
    QString detail; ///< where, and what to try; may be ""
};

/// The error of a failed run first, then damage of its log, then a precision that did not run, then
/// non-finite steps, batches in parts and overflows, the latest first; of many, the latest 200 and
/// a line that counts the others.
std::vector<Alert> alertsOf(const run::Snapshot& snapshot);

/// What usually helps against the error of a run, by what its text says and by the run's precision;
/// "" where nothing is known.
QString whatToTry(const run::Snapshot& snapshot);

} // namespace earwright::ui
