#pragma once

#include "core/check/machine.h"

#include <optional>
#include <QAbstractTableModel>
#include <set>

namespace earwright::ui {

/// The processor and the GPUs, each with a check box: either the processor or any number of GPUs.
class DeviceModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Device, Memory, Load, ColumnCount };

    explicit DeviceModel(QObject* parent = nullptr);

    /// Of its GPUs those are checked that were chosen; the first, where nothing was.
    void setMachine(const check::Machine& machine);
    void setCpuLoad(double load); ///< 0..1, -1 = unknown
    const check::Machine& machine() const { return m_machine; }

    const std::set<int>& checkedGpus() const { return m_gpus; } ///< empty = the processor
    /// A choice, for when they are there where they are not yet.
    void setCheckedGpus(const std::set<int>& gpus);
    const std::optional<std::set<int>>& chosenGpus() const { return m_chosen; }
    /// "cpu:2" or "cuda:0,1", as `--devices` takes it.
    QString devicesOption(int cpuRanks) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void selectionChanged(); ///< or other devices than before

private:
    std::set<int> presentGpus() const;
    QString cpuText(int column) const;
    QString gpuText(const check::Gpu& gpu, int column) const;

    check::Machine m_machine;
    bool m_isTold = false; ///< of a machine
    double m_cpuLoad = -1;
    std::optional<std::set<int>> m_chosen;
    std::set<int> m_gpus; ///< of the machine's
};

QString gibibytes(qint64 bytes);

} // namespace earwright::ui
