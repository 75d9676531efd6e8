#pragma once

#include "core/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace earwright::ui {

/// A run folder that went to the desktop's trash.
struct Trashed {
    QString from;
    QString to; ///< where it lies in the trash
};

/// What became of several; `error` "" = all of them went.
struct Trashing {
    std::vector<Trashed> done {};
    QString error {};
};

// Safe in any thread; they touch the disk.
/// Not of a run that a supervisor is at work on: the error names it, and it stays.
Trashing moveToTrash(const QStringList& runPaths);
/// Back to where they were. The error names what lies there meanwhile, or what has left the trash.
QString takeFromTrash(const std::vector<Trashed>& trashed);

} // namespace earwright::ui
