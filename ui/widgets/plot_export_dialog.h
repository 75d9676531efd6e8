#pragma once

#include "core/base/result.h"

#include <QStringList>

#include <functional>

class QWidget;

namespace kymo::ui {

/// Asks for a file with one of `filters` ("Plots (*.png)") and calls `write` with it and the
/// filter's index; a name without suffix gets the filter's. A failure is shown. Returns at once;
/// the dialog belongs to `parent`.
void openExportDialog(QWidget& parent, const QStringList& filters,
    const std::function<Status(const QString& path, int filter)>& write);

} // namespace kymo::ui
