#include "ui/launch/device_model.h"
#include "ui/launch/launch_panel.h"
#include "ui/launch/overrides_model.h"
#include "ui/launch/precisions.h"
#include "ui/widgets/plain_tip.h"

#include <QApplication>
#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>

namespace earwright::ui {
namespace {

const QString kGpus = QStringLiteral("gpus");

} // namespace

void LaunchPanel::setRecipe(const QString& path)
{
    m_recipeLabel->setText(
        path.isEmpty() ? tr("No recipe open") : tr("Recipe: %1").arg(QFileInfo(path).fileName()));
    m_recipeLabel->setToolTip(plainTip(path));
    if (path == m_recipe)
        return; // or what is being typed into the table would go
    takeOpenEdit();
    m_otherOverrides = allOverrides();
    m_recipe = path;
    m_overrides->setOverrides(m_otherOverrides.value(path).toStringList());
}

QVariantMap LaunchPanel::allOverrides() const
{
    QVariantMap all = m_otherOverrides;
    all.remove(m_recipe);
    if (const QStringList shown = m_overrides->overrides(); !shown.isEmpty())
        all[m_recipe] = shown;
    return all;
}

LaunchRequest LaunchPanel::request() const
{
    return { .recipe = m_recipe,
        .devices = m_devices->devicesOption(m_cpuRanks->value()),
        .precision = chosenPrecision(*m_precision),
        .evalPrecision = chosenPrecision(*m_evalPrecision),
        .overrides = m_overrides->overrides() };
}

/// Neither a shortcut nor a tool button takes the focus, which would close the cell.
void LaunchPanel::takeOpenEdit()
{
    if (m_overridesView->isAncestorOf(QApplication::focusWidget()))
        m_overridesView->setFocus();
}

QStringList LaunchPanel::comparedPrecisions() const
{
    QStringList precisions;
    for (const QCheckBox* box : m_compared)
        if (box->isChecked() && box->isEnabled())
            precisions << box->text();
    return precisions;
}

void LaunchPanel::refreshCommand()
{
    const QString recipe = m_recipe.isEmpty() ? QStringLiteral("RECIPE") : m_recipe;
    LaunchRequest shown = request();
    shown.recipe = recipe;
    m_command->setText(commandLine(QStringLiteral("earwright"), trainArguments(shown, {})));
    m_command->setCursorPosition(0);
    Q_EMIT requestChanged();
}

QVariantMap LaunchPanel::state() const
{
    QStringList ticked;
    for (const QCheckBox* box : m_compared)
        if (box->isChecked())
            ticked << box->text();
    const LaunchRequest now = request();
    QVariantMap state { { QStringLiteral("cpuRanks"), m_cpuRanks->value() },
        { QStringLiteral("precision"), now.precision },
        { QStringLiteral("evalPrecision"), now.evalPrecision },
        { QStringLiteral("compared"), ticked }, { QStringLiteral("overrides"), allOverrides() } };
    if (const auto& gpus = m_devices->chosenGpus())
        state[kGpus] = QVariantList(gpus->begin(), gpus->end());
    return state;
}

void LaunchPanel::restoreState(const QVariantMap& state)
{
    if (state.contains(kGpus)) {
        std::set<int> gpus;
        for (const QVariant& gpu : state.value(kGpus).toList())
            gpus.insert(gpu.toInt());
        m_devices->setCheckedGpus(gpus);
    }
    m_cpuRanks->setValue(state.value(QStringLiteral("cpuRanks"), m_cpuRanks->value()).toInt());
    choosePrecision(*m_precision, state.value(QStringLiteral("precision")).toString());
    choosePrecision(*m_evalPrecision, state.value(QStringLiteral("evalPrecision")).toString());
    const QStringList ticked
        = state.value(QStringLiteral("compared"), allPrecisions()).toStringList();
    for (QCheckBox* box : std::as_const(m_compared))
        box->setChecked(ticked.contains(box->text()));
    m_otherOverrides = state.value(QStringLiteral("overrides")).toMap();
    m_overrides->setOverrides(m_otherOverrides.value(m_recipe).toStringList());
}

} // namespace earwright::ui
