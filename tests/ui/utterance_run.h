#pragma once

#include "core/run/utterances.h"
#include "tests/files.h"
#include "tests/ui/run_folders.h"

#include <QDataStream>

#include <cmath>

/// A sound of 16 bits, mono: silence in its first half, a tone in its second.
inline void writeSound(const QString& path, double seconds, int sampleRateHz = 8000)
{
    const auto count = static_cast<quint32>(seconds * sampleRateHz);
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setByteOrder(QDataStream::LittleEndian);
    out.writeRawData("RIFF", 4);
    out << quint32(36 + 2 * count);
    out.writeRawData("WAVEfmt ", 8);
    out << quint32(16) << quint16(1) << quint16(1) << quint32(sampleRateHz)
        << quint32(2 * sampleRateHz) << quint16(2) << quint16(16);
    out.writeRawData("data", 4);
    out << quint32(2 * count);
    for (quint32 i = 0; i < count; ++i)
        out << qint16(i < count / 2 ? 0 : 12000 * std::sin(2 * M_PI * 1000 * i / sampleRateHz));
    writeFile(path, bytes);
}

/// With the edits that a run counts.
inline earwright::run::Utterance utteranceOf(
    const std::string& id, const std::string& reference, const std::string& hypothesis)
{
    using namespace earwright;
    const auto edits = [&](auto unitsOf) {
        return score::summarise({ score::score(id, unitsOf(reference, score::WordSplit::WhiteSpace),
            unitsOf(hypothesis, score::WordSplit::WhiteSpace)) });
    };
    run::Utterance utterance { .id = id };
    utterance.reference = reference;
    utterance.hypothesis = hypothesis;
    utterance.byWord = edits(score::words);
    utterance.byCharacter = edits(score::characters);
    return utterance;
}

inline const std::string kLongUtterance
    = "一个很长的说话人标识-utt-0003-with-a-name-that-fits-into-no-column-of-a-small-window";

/// What the made-up run recognised in an epoch: the first hears one word less.
inline std::vector<earwright::run::Utterance> spokenUtterances(int64_t epoch, const QString& sounds)
{
    const std::string folder = sounds.toStdString();
    std::vector<earwright::run::Utterance> all {
        utteranceOf("utt-10", "close it now", epoch == 1 ? "close in now" : "close it now"),
        utteranceOf("utt-9", "open the menu", "open menu"),
        utteranceOf(kLongUtterance, "turn on the light", "turn of the lights please"),
        utteranceOf("utt-11", "stop", ""),
    };
    all[0].speaker = "ben";
    all[0].seconds = 2.5;
    all[0].sound = folder + "/utt-10.wav";
    all[1].speaker = "anna";
    all[1].seconds = 0.5;
    all[1].sound = folder + "/utt-10.wav";
    all[1].part = { .begin = 1.5, .end = 2 };
    all[2].speaker = "王";
    all[2].seconds = 10;
    all[3].sound = folder + "/gone.wav";
    all[3].missedHotwords = { "stop" };
    return all;
}

inline earwright::run::Evaluated writeEvaluation(const earwright::run::RunFolder& folder,
    const std::string& split, int64_t epoch,
    const std::vector<earwright::run::Utterance>& utterances)
{
    using namespace earwright;
    score::ErrorRate sum;
    for (const run::Utterance& utterance : utterances) {
        sum.tokens += utterance.byWord->tokens;
        sum.insertions += utterance.byWord->insertions;
        sum.deletions += utterance.byWord->deletions;
        sum.substitutions += utterance.byWord->substitutions;
    }
    const run::Evaluated evaluated { .split = split,
        .epoch = epoch,
        .step = 40 * epoch,
        .loss = 1,
        .wer = sum.percent(),
        .cer = 10,
        .alignmentsFile = "alignments/"
            + (split == "valid" ? "valid-epoch-" + std::to_string(epoch) : split) + ".txt" };
    const QString file = QString::fromStdString(run::utterancesFile(folder, evaluated).string());
    QDir().mkpath(QFileInfo(file).path());
    writeFile(file, QByteArray::fromStdString(run::utterancesText(utterances)));
    return evaluated;
}

/// Appends to the run's events, as a run that goes on does.
inline void appendEvaluation(
    const QString& runPath, const earwright::run::Evaluated& evaluated, double time = 1795273244)
{
    using namespace earwright;
    const run::RunFolder folder { runPath.toStdU16String() };
    auto writer = run::EventWriter::open(folder.events(0), 0);
    if (!writer)
        qFatal("%s", writer.error().message.c_str());
    (*writer)->write({ time, evaluated });
    (*writer)->flush();
}

/// A run of two validations and a test, whose sounds lie in its folder "sounds".
inline QString writeUtteranceRun(const QString& runsRoot, const QString& name)
{
    using namespace earwright;
    const run::RunFolder folder = writePlannedRun(runsRoot, name);
    const QString path = QString::fromStdString(folder.path.string());
    const QString sounds = path + QStringLiteral("/sounds");
    QDir().mkpath(sounds);
    writeSound(sounds + QStringLiteral("/utt-10.wav"), 2.5);
    auto writer = run::EventWriter::open(folder.events(0), 0);
    if (!writer)
        qFatal("%s", writer.error().message.c_str());
    double time = 1795273144;
    const auto write = [&](run::Payload payload) { (*writer)->write({ ++time, payload }); };
    write(run::RunStarted { .name = name.toStdString(), .devices = { "cpu" } });
    for (const int64_t epoch : { 1, 2 })
        write(writeEvaluation(folder, "valid", epoch, spokenUtterances(epoch, sounds)));
    write(writeEvaluation(folder, "test", 2, spokenUtterances(2, sounds)));
    write(run::Finished { "done", "", -1 });
    (*writer)->flush();
    writeFile(path + QStringLiteral("/alignments/test-hotwords.tsv"),
        "hotword\tunseen\tspoken\theard\tright\nopen\tno\t1\t1\t1\nstop\tno\t1\t0\t0\n");
    return path;
}
