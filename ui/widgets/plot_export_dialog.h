#pragma once

#include "ui/widgets/plot_export.h"

#include <QStringList>

class QWidget;

namespace earwright::ui {

/// Asks for a file with one of `filters` ("Plots (*.png)") and calls `take` with it and the
/// filter's index; a name without suffix gets the filter's. Returns at once; the dialog belongs to
/// `parent`.
void askForExport(QWidget& parent, const QStringList& filters,
    const std::function<void(const QString& path, int filter)>& take);
/// Does what is left of an export in the thread pool; a failure is shown, success told in the
/// status bar of a main window.
void runExport(QWidget& parent, const QString& path, const Export& work);

/// Both, of what `prepare` makes at once.
void openExportDialog(QWidget& parent, const QStringList& filters,
    const std::function<Export(const QString& path, int filter)>& prepare);

} // namespace earwright::ui
