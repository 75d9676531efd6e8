#include "ui/widgets/plot_export_dialog.h"

#include "ui/widgets/when_done.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMainWindow>
#include <QMessageBox>
#include <QStatusBar>
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

/// In the status bar of a main window.
void tellDone(const QWidget& parent, const QString& path)
{
    constexpr int kMessageTimeMs = 8000;
    if (auto* window = qobject_cast<QMainWindow*>(parent.window()))
        window->statusBar()->showMessage(
            QCoreApplication::translate("PlotExport", "Exported to %1").arg(path), kMessageTimeMs);
}

/// "csv" of "All points (*.csv)".
QString suffixOf(const QString& filter)
{
    return filter.section(QStringLiteral("*."), 1).chopped(1);
}

} // namespace

/// The window may be gone before the disk has answered: then nobody is told.
void runExport(QWidget& parent, const QString& path, const Export& work)
{
    const auto save = [work] {
        const Status done = work();
        return done ? QString() : QString::fromStdString(done.error().message);
    };
    whenDone(QtConcurrent::run(save), &parent, [&parent, path](const QString& error) {
        error.isEmpty() ? tellDone(parent, path) : showFailure(parent, error);
    });
}

void askForExport(QWidget& parent, const QStringList& filters,
    const std::function<void(const QString& path, int filter)>& take)
{
    auto* dialog = new QFileDialog(&parent, QCoreApplication::translate("PlotExport", "Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffixOf(filters.front()));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog](const QString& filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    QObject::connect(
        dialog, &QFileDialog::fileSelected, &parent, [dialog, filters, take](const QString& path) {
            take(path, static_cast<int>(filters.indexOf(dialog->selectedNameFilter())));
        });
    dialog->open();
}

void openExportDialog(QWidget& parent, const QStringList& filters,
    const std::function<Export(const QString& path, int filter)>& prepare)
{
    askForExport(parent, filters, [&parent, prepare](const QString& path, int filter) {
        runExport(parent, path, prepare(path, filter));
    });
}

} // namespace earwright::ui
