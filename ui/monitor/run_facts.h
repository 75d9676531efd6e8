#pragma once

#include "core/run/snapshot.h"
#include "core/run/test_scores.h"

#include <QString>

#include <optional>

namespace earwright::ui {

/// Whether the precision asked for did run: the share of matrix-multiply work in the dtype that
/// belongs to it, by the latest census of a stage ("train" | "valid").
struct PrecisionProof {
    QString dtype; ///< "bfloat16"; "" for an unknown precision
    std::optional<double> share; ///< 0..1; nothing before the first census
    bool holds() const { return share && *share >= 0.5; }
};
PrecisionProof precisionProof(const run::Snapshot& snapshot, const std::string& stage);
/// "97 % of matrix work in bfloat16", "not measured yet".
QString proofText(const PrecisionProof& proof);

/// The validation of the best checkpoint (of the latest that was the best when it was saved).
std::optional<run::Evaluated> bestValidation(const run::Snapshot& snapshot);
/// The latest value of a curve, finite or not; nothing where there is no point.
std::optional<double> latestValue(const run::Snapshot& snapshot, const std::string& tag);
/// Median of the latest 1000 finite points of train/it_per_s, which a stall or a warm-up does not
/// move.
std::optional<double> typicalSpeed(const run::Snapshot& snapshot);
/// Greatest memory/peak_bytes.
std::optional<double> peakMemoryBytes(const run::Snapshot& snapshot);

/// "3.25 M parameters, 1.15 M trained"; all of them are where nothing else is said. "" = not known.
QString parametersText(const run::RunStarted& started);
/// "15.20–20.60", the ends of an interval; "" for none.
QString intervalText(const std::optional<run::RateInterval>& interval);
/// A line of the rates, and a line each of their interval, of all hotwords and of those in no
/// training text.
QString scoreTip(const run::Evaluated& score, const run::Snapshot& snapshot);

/// "1:02:05" (h:mm:ss).
QString durationText(double seconds);
/// "4.2 M", "980 k", "512".
QString countText(double count);
/// "1.50 GiB", "12.0 MiB".
QString bytesText(double bytes);

} // namespace earwright::ui
