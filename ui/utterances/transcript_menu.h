#pragma once

#include "ui/utterances/amendment.h"
#include "ui/utterances/utterance_set.h"
#include "ui/widgets/theme.h"

#include <QPushButton>
#include <QThreadPool>

class QAction;
class QMenu;

namespace earwright::ui {

class FigureTable;
class UtteranceModel;

/// A button whose menu corrects the transcript of the current row, quarantines the selected ones,
/// takes either back, and writes a new manifest. All is noted in files beside the run's manifest,
/// one change after the other, in a thread of its own. GUI thread only.
class TranscriptMenu final : public QPushButton {
    Q_OBJECT
public:
    /// What is selected in the table, which shows the model, is amended.
    TranscriptMenu(const FigureTable& table, const UtteranceModel& model, QWidget* parent);

    /// Of the evaluation that is shown; null = none. Undoing goes back to where the manifest
    /// became another.
    void setUtterances(const UtteranceSetPtr& set);

Q_SIGNALS:
    void amended(const UtteranceSetPtr& set); ///< the same utterances, with what is noted now
    void manifestWanted(); ///< another one is to be looked at
    void said(Tone tone, const QString& text); ///< a failure, or where a manifest was written

private:
    void buildMenu();
    void updateActions();
    bool isKnown() const; ///< the manifest, so that something can be noted of it
    std::vector<std::string> selectedIds() const;
    void askForText();
    void openText(const Amendment& change, const QString& offered);
    void askForFile();
    void carryOut(const Amendment& amendment, bool isUndo);
    void showNoted(const data::Amendments& amendments);
    void quarantine(bool isQuarantined);
    void undo();
    void write(const QString& file);
    Amendment amendment() const;

    const FigureTable& m_table;
    const UtteranceModel& m_model;
    QAction* m_correct;
    QAction* m_quarantine;
    QAction* m_release;
    QAction* m_undo;
    QAction* m_write;
    QAction* m_open;
    UtteranceSetPtr m_set;
    std::vector<Amendment> m_inverses; ///< the latest last
    int m_number = 0; ///< of the latest amendments to be shown: others are dropped
    QThreadPool m_thread; ///< of one thread: changes are made in their order
};

} // namespace earwright::ui
