#include "ui/runs/run_list_model.h"

#include "ui/widgets/plot_colors.h"

#include <algorithm>
#include <QCoreApplication>
#include <QStringList>

namespace kymo::ui {
namespace {

    QString str(const std::string& text)
    {
        return QString::fromStdString(text);
    }

    double progressOf(const run::RunSummary& summary)
    {
        if (summary.totalSteps <= 0)
            return -1;
        return std::min(1.0, static_cast<double>(summary.step) / static_cast<double>(summary.totalSteps));
    }

    QString werText(const run::RunSummary& summary)
    {
        return summary.testWer < 0 ? QString() : QStringLiteral("%1 %").arg(summary.testWer, 0, 'f', 2);
    }

    QString detail(const run::RunSummary& summary)
    {
        QStringList parts { stateText(summary.state) };
        if (!summary.precision.empty())
            parts << str(summary.precision);
        if (!summary.devices.empty())
            parts << devicesText(summary.devices);
        if (summary.testWer >= 0)
            parts << QCoreApplication::translate("kymo", "WER %1").arg(werText(summary));
        else if (summary.epoch > 0)
            parts << QCoreApplication::translate("kymo", "epoch %1").arg(summary.epoch);
        return parts.join(QStringLiteral(" · "));
    }

    QString toolTip(const run::RunSummary& summary)
    {
        const QString path = runPathOf(summary);
        return summary.error.empty() ? path : path + QLatin1Char('\n') + str(summary.error);
    }

    QString cell(const run::RunSummary& summary, int column)
    {
        switch (column) {
        case RunListModel::Name:
            return str(summary.folder.path.filename().string());
        case RunListModel::StateColumn:
            return stateText(summary.state);
        case RunListModel::Progress:
            return summary.totalSteps > 0
                ? QStringLiteral("%1 / %2").arg(summary.step).arg(summary.totalSteps)
                : QString();
        case RunListModel::Precision:
            return str(summary.precision);
        case RunListModel::Wer:
            return werText(summary);
        default:
            return {};
        }
    }

    bool isSameRun(const run::RunSummary& a, const run::RunSummary& b)
    {
        return a.folder.path == b.folder.path;
    }

} // namespace

bool isLive(run::State state)
{
    return state == run::State::Queued || state == run::State::Starting || state == run::State::Running
        || state == run::State::Stopping;
}

QString runPathOf(const run::RunSummary& summary)
{
    return QString::fromStdU16String(summary.folder.path.u16string());
}

QString stateText(run::State state)
{
    switch (state) {
    case run::State::Queued:
        return QCoreApplication::translate("kymo", "queued");
    case run::State::Starting:
        return QCoreApplication::translate("kymo", "starting");
    case run::State::Running:
        return QCoreApplication::translate("kymo", "running");
    case run::State::Stopping:
        return QCoreApplication::translate("kymo", "stopping");
    case run::State::Stopped:
        return QCoreApplication::translate("kymo", "stopped");
    case run::State::Done:
        return QCoreApplication::translate("kymo", "done");
    case run::State::Failed:
        return QCoreApplication::translate("kymo", "failed");
    case run::State::Lost:
        return QCoreApplication::translate("kymo", "lost");
    case run::State::Unknown:
        break;
    }
    return QCoreApplication::translate("kymo", "no events yet");
}

QString devicesText(const std::vector<std::string>& devices)
{
    if (devices.empty())
        return {};
    if (devices.front() == "cpu")
        return devices.size() == 1 ? QStringLiteral("cpu") : QStringLiteral("cpu ×%1").arg(devices.size());
    QStringList numbers;
    for (const std::string& device : devices)
        numbers << str(device).section(QLatin1Char(':'), 1);
    return QStringLiteral("cuda:") + numbers.join(QLatin1Char(','));
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
    if (!m_runs.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void RunListModel::removeVanished(const std::vector<run::RunSummary>& runs)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        const auto mine = m_runs.begin() + row;
        if (std::any_of(runs.begin(), runs.end(), [&](const auto& r) { return isSameRun(r, *mine); }))
            continue;
        beginRemoveRows({}, row, row);
        m_runs.erase(mine);
        endRemoveRows();
    }
}

void RunListModel::insertNew(const std::vector<run::RunSummary>& runs)
{
    for (size_t row = 0; row < runs.size(); ++row) {
        if (row < m_runs.size() && isSameRun(runs[row], m_runs[row]))
            continue;
        // One that changed places (its clock did) leaves its old row first.
        const auto old = std::find_if(m_runs.begin(), m_runs.end(), [&](const auto& r) { return isSameRun(r, runs[row]); });
        if (old != m_runs.end()) {
            const int at = static_cast<int>(old - m_runs.begin());
            beginRemoveRows({}, at, at);
            m_runs.erase(old);
            endRemoveRows();
        }
        beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
        m_runs.insert(m_runs.begin() + static_cast<std::ptrdiff_t>(row), runs[row]);
        endInsertRows();
    }
}

QModelIndex RunListModel::indexOf(const QString& runPath) const
{
    for (size_t row = 0; row < m_runs.size(); ++row)
        if (runPathOf(m_runs[row]) == runPath)
            return index(static_cast<int>(row), 0);
    return {};
}

QStringList RunListModel::livePaths() const
{
    QStringList paths;
    for (const run::RunSummary& summary : m_runs)
        if (isLive(summary.state))
            paths << runPathOf(summary);
    return paths;
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
        return toolTip(summary);
    case Qt::AccessibleTextRole:
        return cell(summary, Name) + QStringLiteral(", ") + detail(summary);
    case PathRole:
        return runPathOf(summary);
    case StateRole:
        return static_cast<int>(summary.state);
    case ProgressRole:
        return progressOf(summary);
    case DetailRole:
        return detail(summary);
    case ColorRole:
        return runColor(runPathOf(summary));
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

} // namespace kymo::ui
