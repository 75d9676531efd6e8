#pragma once

#include "ui/runs/run_story.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>

#include <memory>

namespace earwright::ui {

/// The story of one run (RunStory): new lines are appended rows; where one was told late, those
/// behind its place are new rows too.
class LogModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { RankRole = Qt::UserRole + 1, LevelRole };

    explicit LogModel(QObject* parent = nullptr);

    /// null = no run.
    void setSnapshot(const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot);
    int rankCount() const; ///< highest rank seen + 1
    /// The line that takes the most room in a font of one width.
    const QString& widestLine() const { return m_widestLine; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void keepRows(int count);
    void addRows(int upTo);
    void lookForWidest(int upTo);

    QString m_runPath;
    RunStory m_story;
    int m_rowCount = 0;
    int m_rankCount = 0;
    QString m_widestLine;
    size_t m_mostCells = 0;
};

/// Keeps lines of one rank, from a level upwards, that hold a text.
class LogFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit LogFilter(QObject* parent = nullptr);
    void setRank(int rank); ///< -2 = all; -1 = the supervisor
    void setLeastLevel(int level); ///< 0 debug, 1 info, 2 warning, 3 error
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    int m_rank = -2;
    int m_leastLevel = 0;
    QString m_text;
};

int levelNumber(const std::string& level);

} // namespace earwright::ui
