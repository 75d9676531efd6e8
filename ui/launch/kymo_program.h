#pragma once

#include <QString>

namespace kymo::ui {

/// The command line program the window starts for every run: $KYMO_BINARY, else `kymo` beside this
/// program, else in PATH; "" where there is none.
QString kymoProgram();
/// What to say then.
QString noProgramMessage();

} // namespace kymo::ui
