#pragma once

#include "ui/monitor/hotword_table.h"

#include <QStackedWidget>

class QLabel;

namespace earwright::ui {

class HotwordModel;

/// How each phrase of a run's list was heard in its latest validation or test: a table under a
/// line about all of them; words where there is none. GUI thread only.
class HotwordPanel final : public QStackedWidget {
    Q_OBJECT
public:
    explicit HotwordPanel(QWidget* parent = nullptr);

    /// null = none was counted. `isEvaluated`: there was a validation that could have.
    void setTable(const HotwordTablePtr& table, bool isEvaluated);
    const HotwordTablePtr& table() const;

Q_SIGNALS:
    /// The utterances in which it was spoken and not heard.
    void missesWanted(const QString& phrase);

private:
    QWidget* buildReport();

    HotwordModel* m_model;
    QLabel* m_summary;
};

} // namespace earwright::ui
