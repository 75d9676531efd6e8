#pragma once

#include "ui/utterances/evaluation_list.h"

#include <optional>
#include <QObject>
#include <vector>

class QComboBox;

namespace earwright::ui {

/// Two lists: the evaluation of a run to look at, and one to hold it against. Snapshots come all
/// the time: who chose an evaluation keeps it when the run has a newer one. GUI thread only.
class EvaluationChooser final : public QObject {
    Q_OBJECT
public:
    explicit EvaluationChooser(QWidget* parent);

    /// For a layout to place.
    QComboBox* evaluationBox() const { return m_evaluation; }
    QComboBox* otherBox() const { return m_other; }

    /// The run whose evaluations are listed, and behind it others to hold them against.
    void setRuns(const std::vector<UtteranceRun>& runs);
    /// The one that wrote this file, as soon as it is listed; "" = always the newest.
    void want(const std::string& alignmentsFile);
    /// From now on the one that is chosen now, unless another is wanted.
    void keepChosen();
    /// The newest again, unless the user or want() chose one.
    void forgetKept();

    bool isEmpty() const { return m_evaluations.empty(); }
    std::optional<ChosenEvaluation> chosen() const;
    std::optional<ChosenEvaluation> other() const;

Q_SIGNALS:
    void changed(); ///< the user chose

private:
    void fill();
    void fillOthers();
    void explain();

    QComboBox* m_evaluation;
    QComboBox* m_other;
    std::vector<UtteranceRun> m_runs;
    std::vector<ListedEvaluation> m_evaluations; ///< as in m_evaluation
    std::vector<ListedEvaluation> m_others; ///< as in m_other, behind "nothing"
    std::string m_wantedFile; ///< "" = the newest
    bool m_isOnlyKept = false; ///< nobody wanted that file
    /// As chosen, also while it is not listed: its run may not be read yet.
    std::optional<ChosenEvaluation> m_wantedOther;
};

} // namespace earwright::ui
