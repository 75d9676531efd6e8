#pragma once

#include "core/run/snapshot.h"

#include <QColor>
#include <QString>

#include <memory>

namespace kymo::ui {

/// One run of a comparison.
struct CompareRun {
    QString path;
    QString name;
    QColor color;
    std::shared_ptr<const run::Snapshot> snapshot; ///< null = nothing read yet
};

} // namespace kymo::ui
