#pragma once

#include "ui/monitor/hotword_figures.h"
#include "ui/monitor/run_facts.h"

#include <optional>

namespace earwright::ui {

/// What a comparison compares. A figure that is not there yet has no value; NaN is a value.
struct RunFigures {
    run::State state = run::State::Unknown;
    QString differs; ///< of the runs that are compared; no snapshot tells
    QString precision; ///< "bf16", or "bf16 → fp32" where it is evaluated in another
    PrecisionProof proof;
    QString devices;
    double steps = 0;
    std::optional<double> itPerSecond;
    std::optional<double> trainLoss; ///< of the latest logged step
    std::optional<double> validLoss; ///< of the latest validation
    std::optional<double> validWer; ///< percent, of the best; none where the CER counts
    std::optional<double> validCer; ///< percent, of the same validation
    std::optional<double> testWer; ///< percent, likewise
    std::optional<double> testCer;
    QString testWerInterval; ///< "15.20–20.60"; "" = none
    QString testCerInterval;
    HotwordFigures validHotwords; ///< of the same validation
    HotwordFigures validUnseen; ///< of those in no training text alone
    HotwordFigures testHotwords; ///< of the same test
    HotwordFigures testUnseen;
    std::optional<double> peakMemory; ///< bytes
};

RunFigures figuresOf(const run::Snapshot& snapshot);

} // namespace earwright::ui
