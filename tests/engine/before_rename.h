#pragma once

#include "tests/files.h"

#include <QDir>
#include <QDirIterator>

namespace earwright::tests {

/// A copy of tests/cases/before_rename whose plans and queue name its own place. Of a plan's
/// folders git keeps none, as they are empty. Its recipe trains in a moment, and needs no data but
/// its own.
inline void copyBeforeRename(const QDir& target)
{
    for (const char* empty : { "alignments", "checkpoints", "events", "logs" })
        target.mkpath(QString("planned/") + empty);
    const QDir source(EARWRIGHT_CASES_DIR "/before_rename");
    QDirIterator files(source.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QByteArray bytes = bytesOf(files.next());
        const QString name = source.relativeFilePath(files.filePath());
        if (name.endsWith("plan.json") || name.endsWith("queue.json"))
            bytes.replace("/tmp/before_rename", target.path().toUtf8());
        QDir().mkpath(QFileInfo(target.filePath(name)).path());
        writeFile(target.filePath(name), bytes);
    }
}

} // namespace earwright::tests
