#include "ui/widgets/plot_export_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>

namespace kymo::ui {

namespace {

void showFailure(QWidget& parent, const std::string& message)
{
    auto* box
        = new QMessageBox(QMessageBox::Warning, QCoreApplication::translate("PlotExport", "Export"),
            QString::fromStdString(message), QMessageBox::Ok, &parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

/// "csv" of "All points (*.csv)".
QString suffixOf(const QString& filter)
{
    return filter.section(QStringLiteral("*."), 1).chopped(1);
}

} // namespace

void openExportDialog(QWidget& parent, const QStringList& filters,
    const std::function<Status(const QString& path, int filter)>& write)
{
    auto* dialog = new QFileDialog(&parent, QCoreApplication::translate("PlotExport", "Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffixOf(filters.front()));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog](const QString& filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent,
        [&parent, dialog, filters, write](const QString& path) {
            const Status status
                = write(path, static_cast<int>(filters.indexOf(dialog->selectedNameFilter())));
            if (!status)
                showFailure(parent, status.error().message);
        });
    dialog->open();
}

} // namespace kymo::ui
