#pragma once

#include "ui/widgets/plot_export.h"

#include <QStringList>

class QWidget;

namespace earwright::ui {

/// Asks for a file with one of `filters` ("Plots (*.png)") and calls `prepare` with it and the
/// filter's index; a name without suffix gets the filter's. What `prepare` leaves to do is done in
/// the thread pool; a failure is shown. Returns at once; the dialog belongs to `parent`.
void openExportDialog(QWidget& parent, const QStringList& filters,
    const std::function<Export(const QString& path, int filter)>& prepare);

} // namespace earwright::ui
