#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <Qt>

namespace earwright::ui {

/// Number of colours of the cycle.
inline constexpr int kColorCount = 10;

/// Colour `index % kColorCount` of a cycle that stays distinct for the common kinds of colour
/// blindness and keeps a contrast of at least 3:1 to white and to the dark theme's plot area.
/// Source: P. Tol, "Colour Schemes", 2021, and M. Petroff, arXiv:2107.02270, mid-toned so that one
/// cycle serves both themes.
QColor cycleColor(int index);

/// Dash `index % 4`: tells curves apart whose colour is the same.
Qt::PenStyle cycleDash(int index);

/// The colour of a run wherever it appears. The same path has the same colour as long as it is
/// remembered; a new path gets the colour fewest paths have so far, so runs started one after
/// another differ. GUI thread only.
QColor runColor(const QString& runPath);

/// What to remember for the next start: "3 /runs/a", of the runs that came last.
QStringList runColors();
/// In place of all that is known.
void restoreRunColors(const QStringList& colors);

} // namespace earwright::ui
