#include "ui/runs/log_model.h"

#include "core/base/code_point.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDateTime>

namespace earwright::ui {
namespace {

QString timeOf(const run::LogLine& line, const QString& format)
{
    return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(line.wallTime * 1000))
        .toString(format);
}

QString speakerOf(const run::LogLine& line)
{
    return line.rank < 0 ? QStringLiteral("supervisor") : QStringLiteral("rank %1").arg(line.rank);
}

QString lineText(const run::LogLine& line)
{
    return QStringLiteral("%1  %2  %3")
        .arg(timeOf(line, QStringLiteral("HH:mm:ss.zzz")), speakerOf(line).leftJustified(10),
            QString::fromStdString(line.text));
}

/// With its day.
QString lineTip(const run::LogLine& line)
{
    return plainTip(QStringLiteral("%1, %2\n%3")
                        .arg(timeOf(line, QStringLiteral("yyyy-MM-dd HH:mm:ss")), speakerOf(line),
                            QString::fromStdString(line.text)));
}

QVariant lineColor(const run::LogLine& line)
{
    const int level = levelNumber(line.level);
    if (level == 1)
        return {};
    const Tone tone = level == 3 ? Tone::Bad : level == 2 ? Tone::Warning : Tone::Muted;
    return toneColor(tone, QApplication::palette());
}

} // namespace

int levelNumber(const std::string& level)
{
    if (level == "error")
        return 3;
    if (level == "warning")
        return 2;
    return level == "debug" ? 0 : 1;
}

LogModel::LogModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void LogModel::setSnapshot(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    const bool isSameRun = snapshot && runPath == m_runPath;
    if (!isSameRun)
        m_story = RunStory();
    // Rows are counted apart from the story, so views see it change only between begin and end.
    const bool isContinuation = snapshot && m_story.update(*snapshot) && isSameRun;
    const int count = static_cast<int>(m_story.lines().size());
    if (!isContinuation) {
        beginResetModel();
        m_runPath = runPath;
        m_rowCount = 0;
        m_rankCount = 0;
        m_widestLine.clear();
        m_mostCells = 0;
        lookForWidest(count);
        m_rowCount = count;
        endResetModel();
    } else {
        keepRows(static_cast<int>(m_story.numKept()));
        addRows(count);
    }
    if (snapshot)
        m_rankCount = std::max(m_rankCount, static_cast<int>(snapshot->started.devices.size()));
}

void LogModel::keepRows(int count)
{
    if (count >= m_rowCount)
        return;
    beginRemoveRows({}, count, m_rowCount - 1);
    m_rowCount = count;
    endRemoveRows();
}

void LogModel::addRows(int upTo)
{
    if (upTo <= m_rowCount)
        return;
    lookForWidest(upTo);
    beginInsertRows({}, m_rowCount, upTo - 1);
    m_rowCount = upTo;
    endInsertRows();
}

/// Among the lines behind those that are rows.
void LogModel::lookForWidest(int upTo)
{
    for (int row = m_rowCount; row < upTo; ++row) {
        const run::LogLine& line = m_story.lines()[static_cast<size_t>(row)];
        if (const size_t cells = displayWidth(line.text); cells > m_mostCells) {
            m_mostCells = cells;
            m_widestLine = lineText(line);
        }
    }
}

int LogModel::rankCount() const
{
    return m_rankCount;
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rowCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const run::LogLine& line = m_story.lines()[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return lineText(line);
    case Qt::ToolTipRole:
        return lineTip(line);
    case Qt::ForegroundRole:
        return lineColor(line);
    case RankRole:
        return static_cast<int>(line.rank);
    case LevelRole:
        return levelNumber(line.level);
    default:
        return {};
    }
}

LogFilter::LogFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
}

void LogFilter::setRank(int rank)
{
    m_rank = rank;
    invalidateFilter();
}

void LogFilter::setLeastLevel(int level)
{
    m_leastLevel = level;
    invalidateFilter();
}

void LogFilter::setText(const QString& text)
{
    m_text = text;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return (m_rank == -2 || index.data(LogModel::RankRole).toInt() == m_rank)
        && index.data(LogModel::LevelRole).toInt() >= m_leastLevel
        && (m_text.isEmpty() || index.data().toString().contains(m_text, Qt::CaseInsensitive));
}

} // namespace earwright::ui
