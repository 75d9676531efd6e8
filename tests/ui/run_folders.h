#pragma once

#include "core/plan/checked.h"
#include "core/run/event_log.h"
#include "core/run/run_folder.h"
#include "tests/ui/demo_recipe.h"
#include "tests/ui/recorded_run.h"

#include <QFileInfo>

/// A run folder as `earwright plan` leaves it.
inline earwright::run::RunFolder writePlannedRun(
    const QString& runsRoot, const QString& name, const char* devices = "cpu:1")
{
    using namespace earwright;
    check::Request request;
    request.text = bytesOf(QStringLiteral(EARWRIGHT_SOURCE_DIR "/configs/demo/ctc_prompts_en.yaml"))
                       .toStdString();
    request.fileName = "ctc_prompts_en.yaml";
    request.devices = devices;
    request.checkFiles = false;
    const plan::Checked checked = plan::checkRecipe(request, {});
    if (!checked.plan)
        qFatal("the demo recipe has errors");
    const QString path = QDir(runsRoot).filePath(name);
    const Result<run::RunFolder> folder = run::createRunFolder(path.toStdString(), *checked.plan);
    if (!folder)
        qFatal("%s", folder.error().message.c_str());
    return *folder;
}

/// A run folder as `earwright train` leaves it, from a recording: what the window finds on disk.
/// Without an end and a supervisor the run counts as lost, so `isOver` adds both.
inline QString writeRecordedRun(
    const QString& runsRoot, const QString& name, const QString& recording, bool isOver = true)
{
    using namespace earwright;
    const run::RunFolder folder = writePlannedRun(runsRoot, name);
    run::Snapshot snapshot;
    for (const int64_t rank : { -1, 0 }) {
        auto writer = run::EventWriter::open(folder.events(rank), 0);
        if (!writer)
            qFatal("%s", writer.error().message.c_str());
        for (const RecordedEvent& recorded : readRecording(recording)) {
            if (recorded.rank == rank)
                (*writer)->write(recorded.event);
        }
    }
    for (const RecordedEvent& recorded : readRecording(recording))
        run::fold(snapshot, recorded.rank, recorded.event);
    if (isOver && !run::writeResult(folder, snapshot))
        qFatal("cannot write the result of '%s'", qPrintable(name));
    return QString::fromStdString(folder.path.string());
}
