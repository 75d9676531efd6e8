#include "ui/runs/run_list_model.h"

#include "core/run/queue.h"
#include "ui/runs/run_state.h"
#include "ui/runs/run_titles.h"
#include "ui/widgets/path_text.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_colors.h"

#include <algorithm>
#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QStringList>
#include <set>

namespace earwright::ui {
namespace {

QString str(const std::string& text)
{
    return QString::fromStdString(text);
}

double progressOf(const run::RunSummary& summary)
{
    if (summary.totalSteps <= 0)
        return -1;
    return std::min(
        1.0, static_cast<double>(summary.step) / static_cast<double>(summary.totalSteps));
}

/// "12.34 %" of words; "CER 12.34 %" where characters count.
QString rateText(const run::RunSummary& summary)
{
    const bool isCer = summary.testRate == "CER";
    const double rate = isCer ? summary.testCer : summary.testWer;
    if (rate < 0)
        return {};
    const QString text = QStringLiteral("%1 %").arg(rate, 0, 'f', 2);
    return isCer ? QStringLiteral("CER ") + text : text;
}

QString timeText(double startTime)
{
    if (startTime <= 0)
        return {};
    const QDateTime start = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(startTime));
    const bool isToday = start.date() == QDate::currentDate();
    return QLocale().toString(start, isToday ? QStringLiteral("HH:mm") : QStringLiteral("MMM d"));
}

bool isWaiting(const run::RunSummary& summary)
{
    return summary.place > 0 && !isLive(summary.state);
}

QString stateOf(const run::RunSummary& summary)
{
    return isWaiting(summary) ? QCoreApplication::translate("earwright", "waiting")
                              : stateText(summary.state);
}

/// What an earlier attempt came to matters no more once a run waits for the next.
run::State shownState(const run::RunSummary& summary)
{
    return isWaiting(summary) ? run::State::Queued : summary.state;
}

/// "16:56"; "#2" of a run that waits: its place.
QString timeOrPlace(const run::RunSummary& summary)
{
    return isWaiting(summary) ? QStringLiteral("#%1").arg(summary.place)
                              : timeText(summary.startTime);
}

QString cell(const run::RunSummary& summary, int column)
{
    switch (column) {
    case RunListModel::Name:
        return str(summary.folder.path.filename().string());
    case RunListModel::StateColumn:
        return stateOf(summary);
    case RunListModel::Progress:
        return summary.totalSteps > 0
            ? QStringLiteral("%1 / %2").arg(summary.step).arg(summary.totalSteps)
            : QString();
    case RunListModel::Precision:
        return str(summary.precision);
    case RunListModel::Wer:
        return rateText(summary);
    default:
        return {};
    }
}

QString titleOf(const run::RunSummary& summary)
{
    return summary.notes.name.empty() ? nameWithoutTime(cell(summary, RunListModel::Name))
                                      : str(summary.notes.name);
}

QString capsuleOf(const run::RunSummary& summary)
{
    return pathText(summary.capsule);
}

/// Most were exported when they were done.
QString capsuleState(run::State state)
{
    const QString capsule = QCoreApplication::translate("earwright", "capsule");
    return state == run::State::Done ? capsule : capsule + QStringLiteral(" · ") + stateText(state);
}

} // namespace

QString runPathOf(const run::RunSummary& summary)
{
    return pathText(summary.folder.path);
}

RunListModel::RunListModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void RunListModel::setRuns(std::vector<run::RunSummary> runs)
{
    removeVanished(runs);
    insertNew(runs);
    m_runs = std::move(runs);
    m_rowOf.clear();
    QStringList titles;
    for (const run::RunSummary& summary : m_runs)
        titles << titleOf(summary);
    m_shared = sharedBeginnings(std::move(titles));
    if (!m_runs.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT listed();
}

QModelIndex RunListModel::indexOf(const QString& runPath) const
{
    if (m_rowOf.isEmpty()) {
        for (size_t row = 0; row < m_runs.size(); ++row)
            m_rowOf.insert(runPathOf(m_runs[row]), static_cast<int>(row));
    }
    const auto found = m_rowOf.constFind(runPath);
    return found == m_rowOf.constEnd() ? QModelIndex() : index(*found, 0);
}

QStringList RunListModel::livePaths() const
{
    QStringList paths;
    for (const run::RunSummary& summary : m_runs)
        if (isLive(summary.state))
            paths << runPathOf(summary);
    return paths;
}

QString RunListModel::blockerOf(const run::RunSummary& waiting) const
{
    const std::set<std::string> wanted = run::devicesTaken(waiting.devices);
    for (const run::RunSummary& other : m_runs) {
        if (!isLive(other.state))
            continue;
        for (const std::string& device : run::devicesTaken(other.devices))
            if (wanted.contains(device))
                return cell(other, Name);
    }
    return {};
}

int RunListModel::numPaused() const
{
    return static_cast<int>(std::count_if(m_runs.begin(), m_runs.end(),
        [](const run::RunSummary& summary) { return summary.state == run::State::Paused; }));
}

int RunListModel::numWaiting() const
{
    return static_cast<int>(std::count_if(m_runs.begin(), m_runs.end(), isWaiting));
}

QString RunListModel::detail(const run::RunSummary& summary) const
{
    const QString devices = devicesText(summary.devices);
    QStringList parts;
    if (isWaiting(summary))
        parts << tr("waiting for %1").arg(devices) << str(summary.precision);
    else if (summary.capsule.empty())
        parts << stateText(summary.state) << str(summary.precision) << devices;
    else // the devices are another machine's
        parts << capsuleState(summary.state) << str(summary.precision);
    const QString blocker = isWaiting(summary) ? blockerOf(summary) : QString();
    if (!blocker.isEmpty())
        parts << tr("after %1").arg(nameWithoutTime(blocker));
    else if (summary.state == run::State::Failed)
        parts.insert(1, beginningOf(str(summary.error)).section(QLatin1Char('\n'), 0, 0));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString RunListModel::figure(const run::RunSummary& summary) const
{
    if (isWaiting(summary) || summary.state == run::State::Failed)
        return {};
    if (summary.testWer >= 0)
        return (summary.testRate == "CER" ? QString() : QStringLiteral("WER ")) + rateText(summary);
    return summary.epoch > 0 && !isOver(summary.state) ? tr("epoch %1").arg(summary.epoch)
                                                       : QString();
}

QString RunListModel::toolTip(const run::RunSummary& summary) const
{
    QStringList lines { summary.capsule.empty()
            ? runPathOf(summary)
            : tr("Capsule %1\nunpacked in %2").arg(capsuleOf(summary), runPathOf(summary)),
        detail(summary) };
    if (isWaiting(summary)) {
        lines << tr("Place %1 in the queue, for %2")
                     .arg(summary.place)
                     .arg(devicesText(summary.devices));
        if (const QString blocker = blockerOf(summary); !blocker.isEmpty())
            lines << tr("Waits until %1 is over").arg(blocker);
    }
    if (!summary.error.empty())
        lines << str(summary.error);
    return lines.join(QLatin1Char('\n'));
}

QString RunListModel::accessibleText(const run::RunSummary& summary) const
{
    QStringList parts { cell(summary, Name), timeOrPlace(summary), detail(summary),
        figure(summary) };
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const run::RunSummary& summary = m_runs[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cell(summary, index.column());
    case Qt::ToolTipRole:
        return plainTip(toolTip(summary));
    case Qt::AccessibleTextRole:
        return accessibleText(summary);
    case PathRole:
        return runPathOf(summary);
    case StateRole:
        return static_cast<int>(shownState(summary));
    case ProgressRole:
        return progressOf(summary);
    case DetailRole:
        return detail(summary);
    case FigureRole:
        return figure(summary);
    case ColorRole:
        return runColor(runPathOf(summary));
    case TitleRole:
        return titleOf(summary);
    case SharedRole:
        return m_shared.value(titleOf(summary));
    case TimeRole:
        return timeOrPlace(summary);
    case CapsuleRole:
        return capsuleOf(summary);
    case ArchivedRole:
        return summary.notes.isArchived && summary.place == 0 && !isLive(summary.state);
    case PlaceRole:
        return isWaiting(summary) ? QVariant::fromValue(summary.place) : QVariant(0);
    default:
        return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QStringList titles { tr("Run"), tr("State"), tr("Steps"), tr("Precision"), tr("WER") };
    return titles.value(section);
}

} // namespace earwright::ui
