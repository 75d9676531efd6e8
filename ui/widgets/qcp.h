#pragma once

// The one include of qcustomplot.h: its header writes the short Qt keywords, which QT_NO_KEYWORDS
// takes away. They exist while it is read and nowhere else.
#include <QObject>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef foreach
#undef slots
#undef signals
