#pragma once

#include "core/run/snapshot.h"

#include <QColor>
#include <QHash>
#include <QString>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

namespace earwright::ui {

/// One run of a comparison.
struct CompareRun {
    QString path;
    QString name;
    QColor color;
    std::shared_ptr<const run::Snapshot> snapshot; ///< null = nothing read yet
    QString differs {}; ///< "seed=13, epochs=3": its overrides that not all of the others have
};

/// What tells runs apart, from their folder names: "ctc-fp32-20261121-154555" and "ctc-bf16-…" ->
/// "fp32", "bf16"; the whole names where the times are all that differs.
QStringList shortRunNames(const QStringList& runPaths);

/// The overrides of runs by their paths; nothing of one that cannot be read. Touches the disk.
using OverridesByPath = QHash<QString, std::vector<std::string>>;
OverridesByPath readOverridesOf(const QStringList& runPaths);
/// Gives each run what differs, and names it so: "demo · seed=13, epochs=3". `names` are its names
/// as shortRunNames() has them.
void nameByDifferences(
    std::vector<CompareRun>& runs, const QStringList& names, const OverridesByPath& overrides);

} // namespace earwright::ui
