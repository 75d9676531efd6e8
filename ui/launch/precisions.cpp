#include "ui/launch/precisions.h"

#include "ui/launch/translated.h"
#include "ui/widgets/plain_tip.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace earwright::ui {
namespace {

QString cpuRefusal(const QString& precision)
{
    if (precision == QStringLiteral("fp16"))
        return translated("A CPU cannot train in fp16: bf16 does the same job there.");
    if (precision == QStringLiteral("tf32"))
        return translated("tf32 is a mode of NVIDIA GPUs: a CPU trains in fp32.");
    return {};
}

} // namespace

const QStringList& allPrecisions()
{
    static const QStringList kAll { QStringLiteral("fp32"), QStringLiteral("tf32"),
        QStringLiteral("fp16"), QStringLiteral("bf16") };
    return kAll;
}

QString precisionRefusal(
    const QString& precision, const std::set<int>& gpus, const check::Machine& machine)
{
    if (gpus.empty())
        return cpuRefusal(precision);
    if (precision != QStringLiteral("tf32") && precision != QStringLiteral("bf16"))
        return {};
    for (const int number : gpus) {
        const check::Gpu& gpu = machine.gpus[static_cast<size_t>(number)];
        if (gpu.capabilityMajor < 8)
            return translated("%1 needs compute capability 8.0; %2 has %3.%4.")
                .arg(precision, QString::fromStdString(gpu.name))
                .arg(gpu.capabilityMajor)
                .arg(gpu.capabilityMinor);
    }
    return {};
}

void fillPrecisions(QComboBox& combo, const std::set<int>& gpus, const check::Machine& machine)
{
    const QString before = chosenPrecision(combo);
    const QSignalBlocker blocker(combo);
    combo.clear();
    combo.addItem(translated("As in the recipe"), QString());
    const auto* items = qobject_cast<QStandardItemModel*>(combo.model());
    for (const QString& precision : allPrecisions()) {
        combo.addItem(precision, precision);
        const QString refusal = precisionRefusal(precision, gpus, machine);
        QStandardItem* item = items->item(combo.count() - 1);
        item->setEnabled(refusal.isEmpty());
        item->setToolTip(plainTip(refusal));
        if (!refusal.isEmpty())
            item->setText(translated("%1 (not here)").arg(precision));
    }
    choosePrecision(combo, precisionRefusal(before, gpus, machine).isEmpty() ? before : QString());
}

QString chosenPrecision(const QComboBox& combo)
{
    return combo.currentData().toString();
}

void choosePrecision(QComboBox& combo, const QString& precision)
{
    combo.setCurrentIndex(std::max(0, combo.findData(precision)));
}

} // namespace earwright::ui
