#include "ui/launch/device_model.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/plain_tip.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace earwright::ui {
namespace {

/// However free and busy.
bool isSameGpu(const check::Gpu& a, const check::Gpu& b)
{
    return a.uuid == b.uuid && a.name == b.name && a.capabilityMajor == b.capabilityMajor
        && a.capabilityMinor == b.capabilityMinor;
}

} // namespace

QString gibibytes(qint64 bytes)
{
    return QStringLiteral("%1 GiB").arg(static_cast<double>(bytes) / (1 << 30), 0, 'f', 1);
}

DeviceModel::DeviceModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void DeviceModel::setMachine(const check::Machine& machine)
{
    const bool isSame = m_isTold
        && std::equal(machine.gpus.begin(), machine.gpus.end(), m_machine.gpus.begin(),
            m_machine.gpus.end(), isSameGpu);
    if (isSame) { // asked again: what is open or selected beside the model stays so
        m_machine = machine;
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_isTold = true;
    m_machine = machine;
    m_gpus = presentGpus();
    endResetModel();
    Q_EMIT selectionChanged();
}

/// Of those chosen.
std::set<int> DeviceModel::presentGpus() const
{
    const int count = static_cast<int>(m_machine.gpus.size());
    std::set<int> gpus = m_chosen.value_or(std::set<int> { 0 });
    std::erase_if(gpus, [count](int gpu) { return gpu >= count; });
    return gpus;
}

void DeviceModel::setCpuLoad(double load)
{
    m_cpuLoad = load;
    Q_EMIT dataChanged(index(0, Load), index(0, Load));
}

void DeviceModel::setCheckedGpus(const std::set<int>& gpus)
{
    m_chosen = gpus;
    m_gpus = presentGpus();
    Q_EMIT dataChanged(index(0, Device), index(rowCount() - 1, Device), { Qt::CheckStateRole });
    Q_EMIT selectionChanged();
}

QString DeviceModel::devicesOption(int cpuRanks) const
{
    if (m_gpus.empty())
        return QStringLiteral("cpu:%1").arg(cpuRanks);
    QStringList numbers;
    for (const int gpu : m_gpus)
        numbers << QString::number(gpu);
    return QStringLiteral("cuda:") + numbers.join(QLatin1Char(','));
}

int DeviceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_machine.gpus.size());
}

int DeviceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString DeviceModel::cpuText(int column) const
{
    switch (column) {
    case Device:
        return counted(m_machine.cpuCores, tr("CPU, %1 core"), tr("CPU, %1 cores"));
    case Memory:
        return m_machine.memoryBytes > 0 ? gibibytes(m_machine.memoryBytes) : QString();
    default:
        return m_cpuLoad < 0 ? QString() : QStringLiteral("%1 %").arg(m_cpuLoad * 100, 0, 'f', 0);
    }
}

QString DeviceModel::gpuText(const check::Gpu& gpu, int column) const
{
    switch (column) {
    case Device:
        return QString::fromStdString(gpu.name);
    case Memory:
        if (gpu.freeMemoryBytes <= 0) // nobody says
            return gibibytes(gpu.totalMemoryBytes);
        return tr("%1 free of %2")
            .arg(gibibytes(gpu.freeMemoryBytes), gibibytes(gpu.totalMemoryBytes));
    default:
        return gpu.utilization < 0 ? QString()
                                   : QStringLiteral("%1 %").arg(gpu.utilization, 0, 'f', 0);
    }
}

QVariant DeviceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int gpu = index.row() - 1;
    if (role == Qt::DisplayRole)
        return gpu < 0 ? cpuText(index.column())
                       : gpuText(m_machine.gpus[static_cast<size_t>(gpu)], index.column());
    if (role == Qt::CheckStateRole && index.column() == Device)
        return (gpu < 0 ? m_gpus.empty() : m_gpus.contains(gpu)) ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::ToolTipRole && gpu >= 0) {
        const check::Gpu& facts = m_machine.gpus[static_cast<size_t>(gpu)];
        return plainTip(tr("cuda:%1, compute capability %2.%3\n%4")
                            .arg(gpu)
                            .arg(facts.capabilityMajor)
                            .arg(facts.capabilityMinor)
                            .arg(QString::fromStdString(facts.uuid)));
    }
    return {};
}

bool DeviceModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    std::set<int> gpus = m_gpus;
    if (index.row() == 0)
        gpus.clear();
    else if (value.toInt() == Qt::Checked)
        gpus.insert(index.row() - 1);
    else
        gpus.erase(index.row() - 1);
    setCheckedGpus(gpus);
    return true;
}

Qt::ItemFlags DeviceModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Device ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant DeviceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return QStringList { tr("Device"), tr("Memory"), tr("Load") }.value(section);
}

} // namespace earwright::ui
