#pragma once

#include "core/run/snapshot.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QListView;
class QLineEdit;

namespace earwright::ui {

class HintedView;
class LogFilter;
class LogModel;

/// The log of the selected run: one rank or all, from a level upwards, searched; follows the end
/// while the end is in view.
class LogPanel final : public QWidget {
    Q_OBJECT
public:
    explicit LogPanel(QWidget* parent = nullptr);

    void setSnapshot(const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot);
    void clear();

private:
    QWidget* buildBar();
    void connectParts();
    void fillRanks(int count);
    void refreshHint();

    LogModel* m_model;
    LogFilter* m_filter;
    QListView* m_view;
    HintedView* m_hinted;
    QComboBox* m_rank;
    QComboBox* m_level;
    QLineEdit* m_search;
    bool m_hasRun = false;
};

} // namespace earwright::ui
