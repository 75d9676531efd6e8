#pragma once

#include "core/run/run_folder.h"
#include "ui/runs/run_details.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace earwright::ui {

/// One run as a table shows it.
struct RunRow {
    run::RunSummary summary;
    RunDetails details {};
    QString differs {}; ///< "seed=13, epochs=3": of the runs of the same recipe
};

/// A cell: what it says, and what it is sorted by.
struct RunCell {
    QString text;
    std::optional<double> number {}; ///< NaN too; a text cell has none
};

/// The columns that every table can have, in order: "name", "differs", "state", "started", "epoch",
/// "step", "wer", "cer", "tags", "note", "size". Any other id is a metric ("valid/loss") or a key
/// of the recipe ("lr").
const QStringList& fixedColumns();
QString columnTitle(const QString& id);
bool isEditable(const QString& id); ///< name, tags, note

RunCell cellOf(const RunRow& row, const QString& id);

/// "demo · seed=13, epochs=3": the name that a user gave, else the recipe's, and what differs.
QString titleOf(const RunRow& row);

/// Of each run what its overrides have that those of other runs with the same name do not all have.
void findDifferences(std::vector<RunRow>& rows);

} // namespace earwright::ui
