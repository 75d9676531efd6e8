#pragma once

#include "core/run/capsule.h"
#include "tests/ui/run_folders.h"

#include <QTemporaryDir>

/// A capsule of a recorded run, as `earwright export` writes it; its weights are a few bytes.
inline QString writeCapsule(const QString& file, const QString& recording, bool isOver = true)
{
    const QTemporaryDir folder;
    const QString run = writeRecordedRun(folder.path(), QStringLiteral("run"), recording, isOver);
    const QString checkpoint = run + QStringLiteral("/checkpoints/step-480");
    QDir().mkpath(checkpoint);
    writeFile(checkpoint + QStringLiteral("/manifest.json"), "{}");
    writeFile(checkpoint + QStringLiteral("/model.safetensors"), "the weights");
    const earwright::Status packed
        = earwright::run::packCapsule(run.toStdString(), "step-480", file.toStdString());
    if (!packed)
        qFatal("%s", packed.error().message.c_str());
    return file;
}
