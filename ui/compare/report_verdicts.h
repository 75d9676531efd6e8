#pragma once

#include "ui/compare/compare_run.h"

#include <vector>

class QPainter;

namespace earwright::ui {

/// Whether the runs differ from the baseline beyond chance: a sentence for each of them and each
/// test of the baseline, without tests its newest validation; where there is none, why. Nothing
/// where the baseline has recognised no texts. Reads files and compares texts, seconds of long
/// ones: not in the GUI thread of a window.
QStringList reportVerdicts(const std::vector<CompareRun>& runs, const QString& baselinePath = {});

/// Of such sentences, each in lines as wide as the page. 0 of none.
int verdictsHeight(const QStringList& verdicts, int pageWidth);
/// At the painter's origin.
void paintVerdicts(QPainter& painter, const QStringList& verdicts, int pageWidth);

} // namespace earwright::ui
