#pragma once

#include "ui/utterances/evaluation_list.h"

#include <optional>
#include <QWidget>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace earwright::ui {

class EvaluationChooser;
class FigureTable;
class InfoBar;
class ManifestLook;
class TranscriptMenu;
class UtteranceModel;
class UtterancePanel;
class UtteranceViews;

/// Every utterance of one validation or test of a run: a table that is sorted and filtered (behind
/// it what was confused, and errors by speaker, length and speaking rate), what was said and
/// recognised in the one that is selected, and its sound; beside it, if wanted, what another
/// evaluation made of the same utterances. GUI thread only: files are read in the thread pool.
class UtterancesPage final : public QWidget {
    Q_OBJECT
public:
    /// What the page's keys and buttons do.
    struct Actions {
        QList<QAction*> empty {}; ///< offered while there is nothing to show
        QAction* play = nullptr;
        QList<QAction*> ofRow {}; ///< the table's menu; their keys work there
    };
    explicit UtterancesPage(const Actions& actions, QWidget* parent = nullptr);

    /// The run that is shown, and behind it others to hold it against; again with newer snapshots
    /// as they come. Empty = no run. Nothing is read while the page is hidden.
    void setRuns(const std::vector<UtteranceRun>& runs);
    /// The evaluation of the shown run that wrote this file, as soon as it is listed.
    void showEvaluation(const std::string& alignmentsFile, const QString& filter = {});

    /// A manifest before a training in the place of the run's utterances, until another evaluation
    /// is wanted or the manifest is closed.
    void showManifest(const std::filesystem::path& file);
    void openManifest(); ///< asks which

    void togglePlaying();
    void goToNext(int direction); ///< 1 = down, -1 = up
    void goToFilter();
    void openExport(); ///< asks where to

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildContent(const Actions& actions);
    QWidget* buildControls();
    QWidget* buildUtterances();
    void buildTable(const Actions& actions);
    void connectParts();
    void onChosen();
    void refresh();
    void read();
    void take(const UtteranceSetPtr& set);
    void showSet(const UtteranceSetPtr& set);
    void filterBy(const QString& filter);
    void applyFilter();
    void onShown();
    void onCurrentChanged();

    QStackedWidget* m_stack;
    EvaluationChooser* m_chooser;
    QLineEdit* m_filter;
    QLabel* m_count;
    InfoBar* m_bar;
    UtteranceModel* m_model;
    FigureTable* m_table;
    UtterancePanel* m_panel;
    ManifestLook* m_manifest;
    TranscriptMenu* m_transcript;
    UtteranceViews* m_views = nullptr; ///< m_table with m_panel, and tables of errors
    bool m_hasRun = false;
    std::optional<ChosenEvaluation> m_read; ///< what was read last
    std::optional<ChosenEvaluation> m_readOther;
    QString m_currentId; ///< kept from one evaluation to the next
    QString m_filterError;
    bool m_isReading = false;
    int m_number = 0; ///< of the latest reading
};

} // namespace earwright::ui
