#pragma once

#include "core/score/error_groups.h"
#include "ui/utterances/utterance_set.h"

#include <QStackedWidget>
#include <vector>

class QTabBar;

namespace earwright::ui {

class ErrorTablePanel;

/// The utterances of an evaluation, and behind them what was confused and the errors by speaker,
/// length and speaking rate. GUI thread only.
class UtteranceViews final : public QStackedWidget {
    Q_OBJECT
public:
    explicit UtteranceViews(QWidget* utterances, QWidget* parent = nullptr);

    QTabBar* tabs() const { return m_tabs; } ///< for a layout to place
    void setUtterances(const UtteranceSetPtr& set); ///< of the tables of errors; null = none
    void showUtterances();

Q_SIGNALS:
    void filterWanted(const QString& filter); ///< a row of such a table was chosen

private:
    void add(const QString& title, ErrorTablePanel* panel);
    void addGroups(const QString& title, const char* objectName, score::GroupBy by);

    QTabBar* m_tabs;
    std::vector<ErrorTablePanel*> m_errorTables;
};

} // namespace earwright::ui
