#pragma once

#include "ui/compare/compare_run.h"
#include "ui/widgets/plot_export.h"

#include <QStringList>

#include <vector>

namespace earwright::ui {

/// A comparison on one page, always on white: the table, the verdicts (reportVerdicts()), the
/// curves, the bars of speed. By suffix .png, .pdf or .svg. Needs a QApplication, on any platform
/// ("offscreen" too). `baselinePath` "" = the first run.
[[nodiscard]] Export reportExport(const QString& path, const std::vector<CompareRun>& runs,
    const QString& baselinePath = {}, const QStringList& verdicts = {});

/// Reads run folders and writes their report, with the verdicts; says on stderr what failed. Exit
/// codes of the command line: 0 written, 2 no run folder given, 3 a folder or the picture failed.
int runReport(const QString& pngPath, const QStringList& runFolders);

} // namespace earwright::ui
