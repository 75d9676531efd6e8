#include "ui/widgets/plot_export_dialog.h"

#include "ui/widgets/when_done.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QtConcurrentRun>

namespace earwright::ui {

namespace {

void showFailure(QWidget& parent, const QString& message)
{
    auto* box = new QMessageBox(QMessageBox::Warning,
        QCoreApplication::translate("PlotExport", "Export"), message, QMessageBox::Ok, &parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

/// The window may be gone before the disk has answered: then nobody is told.
void runInPool(QWidget& parent, const Export& work)
{
    const auto save = [work] {
        const Status done = work();
        return done ? QString() : QString::fromStdString(done.error().message);
    };
    whenDone(QtConcurrent::run(save), &parent, [&parent](const QString& error) {
        if (!error.isEmpty())
            showFailure(parent, error);
    });
}

/// "csv" of "All points (*.csv)".
QString suffixOf(const QString& filter)
{
    return filter.section(QStringLiteral("*."), 1).chopped(1);
}

} // namespace

void openExportDialog(QWidget& parent, const QStringList& filters,
    const std::function<Export(const QString& path, int filter)>& prepare)
{
    auto* dialog = new QFileDialog(&parent, QCoreApplication::translate("PlotExport", "Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffixOf(filters.front()));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog](const QString& filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent,
        [&parent, dialog, filters, prepare](const QString& path) {
            runInPool(parent,
                prepare(path, static_cast<int>(filters.indexOf(dialog->selectedNameFilter()))));
        });
    dialog->open();
}

} // namespace earwright::ui
