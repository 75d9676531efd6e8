#pragma once

#include "tests/ui/run_folders.h"
#include "tests/ui/text_walk.h"

/// All that a run tells of itself, as another program may have written it: markup as every text.
inline std::vector<earwright::run::Payload> markedEvents()
{
    using namespace earwright::run;
    const std::string text = kMarkedText;
    return {
        RunStarted { .name = text,
            .task = text,
            .precision = text,
            .evalPrecision = text + "2",
            .devices = { text },
            .numberOfEpochs = 1,
            .stepsPerEpoch = 2 },
        Message { "error", text },
        Scalar { "train/loss", 1, 2.5 },
        Scalar { "train/loss", 2, 1.5 },
        NonFinite { .step = 2, .what = text, .utterances = { text } },
        DtypeCensus { .stage = "train", .shareByDtype = { { text, 1.0 } } },
        Evaluated { .split = text,
            .epoch = 1,
            .step = 2,
            .loss = 1,
            .wer = 50,
            .cer = 25,
            .alignmentsFile = "alignments/test.txt",
            .rate = text,
            .checkpoints = { text, text } },
        PhaseChanged { text, 1, 2 },
        Finished { "failed", text + "\n" + text, 0 },
    };
}

inline QString writeMarkedRun(const QString& runsRoot, const QString& name)
{
    using namespace earwright;
    const run::RunFolder folder = writePlannedRun(runsRoot, name);
    auto writer = run::EventWriter::open(folder.events(0), 0);
    if (!writer)
        qFatal("%s", writer.error().message.c_str());
    run::Snapshot snapshot;
    double time = 1795273144;
    for (const run::Payload& payload : markedEvents()) {
        (*writer)->write({ ++time, payload });
        run::fold(snapshot, 0, { time, payload });
    }
    (*writer)->flush();
    if (!run::writeResult(folder, snapshot))
        qFatal("cannot write the result of '%s'", qPrintable(name));
    const QString path = QString::fromStdString(folder.path.string());
    QDir().mkpath(path + QStringLiteral("/alignments"));
    writeFile(path + QStringLiteral("/alignments/test-hotwords.tsv"),
        QByteArray("hotword\tunseen\tspoken\theard\tright\n") + kMarkedText + "\tno\t6\t8\t5\n");
    return path;
}
