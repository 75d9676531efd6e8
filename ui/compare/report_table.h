#pragma once

#include "ui/compare/compare_model.h"

class QPainter;

namespace earwright::ui {

/// The tables of a report: the figures of the runs, and below it, where some run has a list of
/// hotwords, how they were heard. Columns without a figure are left out.
int tablesHeight(const CompareModel& model);
/// At the painter's origin, as wide as the page; beside each row its run's colour.
void paintTables(QPainter& painter, const CompareModel& model, const std::vector<CompareRun>& runs,
    int pageWidth);

} // namespace earwright::ui
