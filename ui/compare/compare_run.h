#pragma once

#include "core/run/snapshot.h"

#include <QColor>
#include <QString>
#include <QStringList>

#include <memory>

namespace earwright::ui {

/// One run of a comparison.
struct CompareRun {
    QString path;
    QString name;
    QColor color;
    std::shared_ptr<const run::Snapshot> snapshot; ///< null = nothing read yet
};

/// What tells runs apart, from their folder names: "ctc-fp32-20261121-154555" and "ctc-bf16-…" ->
/// "fp32", "bf16"; the whole names where the times are all that differs.
QStringList shortRunNames(const QStringList& runPaths);

} // namespace earwright::ui
