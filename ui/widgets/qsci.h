#pragma once

// QScintilla's headers say `signals:` and `slots:`; everything of ours is built with
// QT_NO_KEYWORDS.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexercustom.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#undef signals
#undef slots
