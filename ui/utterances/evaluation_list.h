#pragma once

#include "core/run/snapshot.h"
#include "ui/utterances/utterance_set.h"

#include <memory>

namespace earwright::ui {

/// A run whose evaluations can be looked at.
struct UtteranceRun {
    QString path;
    QString name; ///< what tells it from the others
    std::shared_ptr<const run::Snapshot> snapshot; ///< null = nothing read yet
};

/// An evaluation and what a list calls it.
struct ListedEvaluation {
    QString title; ///< "valid, epoch 3: WER 12.50 %"
    ChosenEvaluation evaluation;
};

/// The validations and tests of a run that kept texts, in their order; of those that wrote the
/// same file the newest.
std::vector<ListedEvaluation> listEvaluations(const UtteranceRun& run);

/// Of an evaluation those to hold it against: the others of its run, then other runs' with the
/// run's name before them.
std::vector<ListedEvaluation> listOthers(
    const std::vector<UtteranceRun>& runs, const ChosenEvaluation& chosen);

} // namespace earwright::ui
