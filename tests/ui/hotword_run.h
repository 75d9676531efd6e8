#pragma once

#include "core/run/event_log.h"
#include "tests/files.h"
#include "tests/ui/run_folders.h"

/// One evaluation of a made-up run with a list of hotwords.
struct HeardEvaluation {
    const char* split = "valid";
    int64_t epoch = 1;
    double recall = 50; ///< percent; precision and F1 follow
    bool hasSpokenUnseen = true;
    std::vector<std::string> checkpoints {};
};

inline earwright::run::Evaluated evaluatedOf(const HeardEvaluation& heard)
{
    const auto epoch = static_cast<double>(heard.epoch);
    return { .split = heard.split,
        .epoch = heard.epoch,
        .step = 40 * heard.epoch,
        .loss = 2 / epoch,
        .wer = 60 - epoch,
        .cer = 30 - epoch,
        .alignmentsFile = std::string("alignments/")
            + (heard.split == std::string("valid") ? "valid-epoch-" + std::to_string(heard.epoch)
                                                   : heard.split)
            + ".txt",
        .rate = "CER",
        .checkpoints = heard.checkpoints };
}

/// What rank 0 logs of it, in its order.
inline std::vector<earwright::run::Payload> payloadsOf(const HeardEvaluation& heard)
{
    using earwright::run::Scalar;
    const earwright::run::Evaluated evaluated = evaluatedOf(heard);
    std::vector<earwright::run::Payload> payloads;
    const auto log = [&](const char* figure, double value) {
        payloads.emplace_back(Scalar { evaluated.split + "/" + figure, evaluated.step, value });
    };
    log("loss", evaluated.loss);
    log("WER", evaluated.wer);
    log("CER", evaluated.cer);
    if (evaluated.split != "valid") {
        log("CER_low", evaluated.cer - 4.5);
        log("CER_high", evaluated.cer + 4.25);
    }
    log("hotword_recall", heard.recall);
    log("hotword_precision", heard.recall + 10);
    log("hotword_F1", heard.recall + 5);
    if (heard.hasSpokenUnseen) {
        log("unseen_hotword_recall", heard.recall / 2);
        log("unseen_hotword_precision", heard.recall / 2 + 10);
        log("unseen_hotword_F1", heard.recall / 2 + 5);
    }
    payloads.emplace_back(evaluated);
    return payloads;
}

/// Four epochs, the third the best, and a test of the mean of two checkpoints. Of the second epoch
/// no phrase was spoken that the training texts have not.
inline std::vector<earwright::run::Payload> hotwordRun()
{
    using namespace earwright::run;
    std::vector<Payload> payloads { RunStarted { .name = "热词 seaco",
        .task = "seaco_paraformer",
        .precision = "fp32",
        .evalPrecision = "fp32",
        .devices = { "cpu:0" },
        .numberOfEpochs = 4,
        .stepsPerEpoch = 40 } };
    const auto enter = [&](const char* phase, int64_t epoch, int64_t step) {
        payloads.emplace_back(PhaseChanged { phase, epoch, step });
    };
    const auto add = [&](const HeardEvaluation& heard) {
        for (const Payload& payload : payloadsOf(heard))
            payloads.push_back(payload);
    };
    for (int64_t epoch = 1; epoch <= 4; ++epoch) {
        enter("train", epoch, 40 * (epoch - 1));
        for (int64_t step = 40 * epoch - 39; step <= 40 * epoch; ++step)
            payloads.emplace_back(Scalar { "train/loss", step, 4 / static_cast<double>(step) });
        enter("validate", epoch, 40 * epoch);
        add({ .epoch = epoch,
            .recall = 60 + 5.0 * static_cast<double>(epoch),
            .hasSpokenUnseen = epoch != 2 });
        enter("checkpoint", epoch, 40 * epoch);
        payloads.emplace_back(CheckpointSaved { "checkpoints/step-" + std::to_string(40 * epoch),
            epoch, 40 * epoch, epoch == 1 || epoch == 3 });
    }
    enter("test", 4, 160);
    add({ .split = "test", .epoch = 4, .recall = 72.5, .checkpoints = { "step-120", "step-160" } });
    return payloads;
}

inline earwright::run::Snapshot foldPayloads(const std::vector<earwright::run::Payload>& payloads)
{
    earwright::run::Snapshot snapshot;
    double time = 1795273144;
    for (const earwright::run::Payload& payload : payloads)
        earwright::run::fold(snapshot, 0, { ++time, payload });
    return snapshot;
}

/// A table as a run writes it: a long phrase, one of another script, one that was never spoken.
inline QByteArray hotwordTsv(int right = 5)
{
    return "hotword\tunseen\tspoken\theard\tright\n北京\tno\t6\t8\t" + QByteArray::number(right)
        + "\nOpen the Menu\tno\t4\t4\t4\n人工智能\tyes\t2\t1\t1\n"
          "一个很长的热词用来看看表格里会不会被截断或者把其他列挤出窗口或者让人看不清楚后面的数字"
          "\tyes\t0\t0\t0\n";
}

/// The run's folder with its events so far and the table of its latest evaluation.
inline QString writeHotwordRun(const QString& runsRoot, const QString& name)
{
    using namespace earwright;
    const run::RunFolder folder = writePlannedRun(runsRoot, name);
    auto writer = run::EventWriter::open(folder.events(0), 0);
    if (!writer)
        qFatal("%s", writer.error().message.c_str());
    double time = 1795273144;
    for (const run::Payload& payload : hotwordRun())
        (*writer)->write({ ++time, payload });
    (*writer)->write({ ++time, run::Finished { "done", "", -1 } });
    (*writer)->flush();
    const QString path = QString::fromStdString(folder.path.string());
    writeFile(path + QStringLiteral("/alignments/test-hotwords.tsv"), hotwordTsv());
    return path;
}
