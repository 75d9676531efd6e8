#include "ui/launch/launch_panel.h"

#include "ui/launch/device_model.h"
#include "ui/launch/overrides_model.h"
#include "ui/launch/precisions.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/combo_box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_tip.h"

#include <QCheckBox>
#include <QEvent>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QTableView>
#include <QThread>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

QLabel* heading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

/// A view as tall as its rows, up to a number of them.
int heightOfRows(const QAbstractItemView& view, int rows)
{
    const int row = view.fontMetrics().height() + 10;
    return row * (rows + 1) + 4;
}

QToolButton* button(QAction* action, QWidget* parent)
{
    auto* made = new QToolButton(parent);
    made->setDefaultAction(action);
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    made->setMinimumHeight(30);
    return made;
}

} // namespace

LaunchPanel::LaunchPanel(const ActionRegistry& actions, QWidget* parent)
    : QWidget(parent)
    , m_devices(new DeviceModel(this))
    , m_overrides(new OverridesModel(this))
    , m_recipeLabel(new ElidedLabel(this))
    , m_probeLabel(new QLabel(this))
    , m_deviceView(new QTreeView(this))
    , m_cpuRanks(new SpinBox(this))
    , m_precision(new ComboBox(this))
    , m_evalPrecision(new ComboBox(this))
    , m_overridesView(new QTableView(this))
    , m_command(new QLineEdit(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(8);
    m_recipeLabel->setObjectName(QStringLiteral("launchRecipe"));
    column->addWidget(m_recipeLabel);
    column->addWidget(buildDevices());
    column->addWidget(buildPrecision());
    column->addWidget(buildOverrides());
    column->addStretch(1);
    column->addWidget(buildButtons(actions));
    connectParts();
    setMachine({}, {});
    setRecipe({});
    setMinimumWidth(270);
}

QWidget* LaunchPanel::buildDevices()
{
    auto* group = new QWidget(this);
    auto* column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    m_deviceView->setModel(m_devices);
    m_deviceView->setObjectName(QStringLiteral("deviceView"));
    m_deviceView->setAccessibleName(tr("Devices to train on"));
    m_deviceView->setRootIsDecorated(false);
    m_deviceView->setSelectionMode(QAbstractItemView::NoSelection);
    m_deviceView->header()->setStretchLastSection(false);
    m_deviceView->header()->setSectionResizeMode(DeviceModel::Device, QHeaderView::Stretch);
    m_deviceView->header()->setSectionResizeMode(
        DeviceModel::Memory, QHeaderView::ResizeToContents);
    m_deviceView->header()->setSectionResizeMode(DeviceModel::Load, QHeaderView::ResizeToContents);
    m_cpuRanks->setObjectName(QStringLiteral("cpuRanks"));
    m_cpuRanks->setRange(1, 64);
    m_cpuRanks->setValue(std::min(2, QThread::idealThreadCount()));
    m_cpuRanks->setToolTip(tr("Number of processes that train together on the CPU"));
    auto* form = new QFormLayout;
    auto* label = new QLabel(tr("CPU ran&ks"), group);
    label->setBuddy(m_cpuRanks);
    form->addRow(label, m_cpuRanks);
    m_probeLabel->setWordWrap(true);
    m_probeLabel->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(heading(tr("Devices"), group));
    column->addWidget(m_deviceView);
    column->addWidget(m_probeLabel);
    column->addLayout(form);
    return group;
}

QWidget* LaunchPanel::buildPrecision()
{
    auto* group = new QWidget(this);
    auto* form = new QFormLayout(group);
    form->setContentsMargins(0, 0, 0, 0);
    m_precision->setObjectName(QStringLiteral("precision"));
    m_evalPrecision->setObjectName(QStringLiteral("evalPrecision"));
    form->addRow(heading(tr("Precision"), group));
    form->addRow(tr("&Training"), m_precision);
    form->addRow(tr("Evaluat&ion"), m_evalPrecision);
    auto* row = new QHBoxLayout;
    for (const QString& precision : allPrecisions()) {
        auto* box = new QCheckBox(precision, group);
        box->setObjectName(QStringLiteral("compare-") + precision);
        box->setAccessibleName(tr("Compare %1").arg(precision));
        box->setChecked(true);
        row->addWidget(box);
        m_compared << box;
    }
    form->addRow(new QLabel(tr("“All Precisions” trains in"), group));
    form->addRow(row);
    return group;
}

QWidget* LaunchPanel::buildOverrides()
{
    auto* group = new QWidget(this);
    auto* column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    m_overridesView->setModel(m_overrides);
    m_overridesView->setObjectName(QStringLiteral("overridesView"));
    m_overridesView->setAccessibleName(tr("Overrides of the recipe"));
    m_overridesView->verticalHeader()->hide();
    m_overridesView->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_overridesView->horizontalHeader()->setSectionResizeMode(
        OverridesModel::Key, QHeaderView::Fixed);
    m_overridesView->horizontalHeader()->setSectionResizeMode(
        OverridesModel::Value, QHeaderView::Stretch);
    m_overridesView->viewport()->installEventFilter(this);
    m_overridesView->setWordWrap(false);
    m_overridesView->setTextElideMode(Qt::ElideMiddle); // the ends tell keys and paths apart
    m_overridesView->setEditTriggers(QAbstractItemView::AllEditTriggers);
    m_overridesView->setMinimumHeight(heightOfRows(*m_overridesView, 2));
    m_overridesView->setMaximumHeight(heightOfRows(*m_overridesView, 6));
    auto* remove = new QShortcut(QKeySequence::Delete, m_overridesView);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this,
        [this] { m_overrides->removeRows(m_overridesView->currentIndex().row(), 1); });
    column->addWidget(heading(tr("Overrides for this run"), group));
    column->addWidget(m_overridesView, 1);
    return group;
}

QWidget* LaunchPanel::buildButtons(const ActionRegistry& actions)
{
    auto* group = new QWidget(this);
    auto* column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    m_command->setReadOnly(true);
    m_command->setFrame(false);
    m_command->setAccessibleName(tr("The same as a command"));
    m_command->setToolTip(tr("What Start runs: copy it to do the same in a shell"));
    column->addWidget(m_command);
    auto* row = new QHBoxLayout;
    row->addWidget(button(actions.find(QStringLiteral("run.start")), group));
    row->addWidget(button(actions.find(QStringLiteral("run.queue")), group));
    row->addWidget(button(actions.find(QStringLiteral("run.stop")), group));
    column->addLayout(row);
    column->addWidget(button(actions.find(QStringLiteral("run.compare")), group));
    return group;
}

void LaunchPanel::connectParts()
{
    connect(m_devices, &DeviceModel::selectionChanged, this, &LaunchPanel::onSelectionChanged);
    connect(m_overrides, &OverridesModel::overridesChanged, this, &LaunchPanel::refreshCommand);
    connect(m_overrides, &OverridesModel::overridesChanged, this, &LaunchPanel::fitKeys);
    connect(m_cpuRanks, &QSpinBox::valueChanged, this, &LaunchPanel::refreshCommand);
    connect(m_precision, &QComboBox::currentIndexChanged, this, &LaunchPanel::refreshCommand);
    connect(m_evalPrecision, &QComboBox::currentIndexChanged, this, &LaunchPanel::refreshCommand);
}

void LaunchPanel::setMachine(const check::Machine& machine, const QString& probeError)
{
    m_devices->setMachine(machine);
    m_deviceView->setFixedHeight(heightOfRows(*m_deviceView, std::min(5, m_devices->rowCount())));
    m_probeLabel->setText(probeError);
    m_probeLabel->setVisible(!probeError.isEmpty());
}

void LaunchPanel::setCpuLoad(double load)
{
    m_devices->setCpuLoad(load);
}

void LaunchPanel::onSelectionChanged()
{
    const std::set<int>& gpus = m_devices->checkedGpus();
    fillPrecisions(*m_precision, gpus, m_devices->machine());
    fillPrecisions(*m_evalPrecision, gpus, m_devices->machine());
    for (QCheckBox* box : std::as_const(m_compared)) {
        const QString refusal = precisionRefusal(box->text(), gpus, m_devices->machine());
        box->setEnabled(refusal.isEmpty());
        box->setToolTip(plainTip(refusal.isEmpty()
                ? tr("Ticked: “Train in All Precisions” makes a run in %1").arg(box->text())
                : refusal));
    }
    m_cpuRanks->setEnabled(gpus.empty());
    refreshCommand();
}

bool LaunchPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitKeys();
    return QWidget::eventFilter(watched, event);
}

/// As much room as the keys take, while the values keep a third.
void LaunchPanel::fitKeys()
{
    const int width = m_overridesView->viewport()->width();
    m_overridesView->resizeColumnToContents(OverridesModel::Key);
    m_overridesView->setColumnWidth(OverridesModel::Key,
        std::clamp(
            m_overridesView->columnWidth(OverridesModel::Key), width / 3, width - width / 3));
}

QSize LaunchPanel::sizeHint() const
{
    return { 310, 600 };
}

} // namespace earwright::ui
