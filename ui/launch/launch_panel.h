#pragma once

#include "core/check/machine.h"
#include "ui/launch/run_starter.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTableView;
class QTreeView;

namespace earwright::ui {

class ActionRegistry;
class DeviceModel;
class OverridesModel;

/// How the next run starts: devices, precisions, overrides; and the buttons that start it.
class LaunchPanel final : public QWidget {
    Q_OBJECT
public:
    /// Buttons for run.start, run.stop and run.compare of `actions`.
    explicit LaunchPanel(const ActionRegistry& actions, QWidget* parent = nullptr);

    /// "" = none open. Overrides belong to the recipe they were typed for: those of this one
    /// appear.
    void setRecipe(const QString& path);
    void setMachine(const check::Machine& machine, const QString& probeError);
    void setCpuLoad(double load);

    LaunchRequest request() const;
    void takeOpenEdit(); ///< what is being typed into the overrides counts from now on
    QSize sizeHint() const override;
    QStringList comparedPrecisions() const; ///< those ticked that the devices can do

    /// {"cpuRanks", …}: what was chosen, for the next time the window opens.
    QVariantMap state() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void requestChanged(); ///< anything that changes what would be trained

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildDevices();
    QWidget* buildPrecision();
    QWidget* buildOverrides();
    QWidget* buildButtons(const ActionRegistry& actions);
    void connectParts();
    void onSelectionChanged();
    QVariantMap allOverrides() const;
    void refreshCommand();
    void fitKeys();

    QString m_recipe;
    QVariantMap m_otherOverrides; ///< recipe -> its overrides; m_recipe's are in the model
    DeviceModel* m_devices;
    OverridesModel* m_overrides;
    QLabel* m_recipeLabel;
    QLabel* m_probeLabel;
    QTreeView* m_deviceView;
    QSpinBox* m_cpuRanks;
    QComboBox* m_precision;
    QComboBox* m_evalPrecision;
    QTableView* m_overridesView;
    QList<QCheckBox*> m_compared; ///< in the order of allPrecisions()
    QLineEdit* m_command;
};

} // namespace earwright::ui
