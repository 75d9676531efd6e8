#pragma once

#include <QString>

namespace earwright::ui {

/// The command line program the window starts for every run: $EARWRIGHT_BINARY, else `earwright`
/// beside this program, else in PATH; "" where there is none.
QString earwrightProgram();
/// What to say then.
QString noProgramMessage();

} // namespace earwright::ui
