#include "tests/data/audio_fixture.h"
#include "tests/engine/refusals.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::tests;

/// `earwright prepare` as a user runs it.
class TstPrepareCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void corpus_givesManifestsChecksumsAndAReport();
    void checksums_canBeLeftOut();
    void ownList_givesTheSplitsThatItHas();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { writeFile(path(name), text); }

    QTemporaryDir m_folder;
};

void TstPrepareCommand::initTestCase()
{
    for (const char* part : { "train", "dev", "test" }) {
        const QString folder = QString("kaldi/") + part;
        QVERIFY(QDir(m_folder.path()).mkpath(folder));
        QVERIFY(tests::writeSound(
            path(folder + "/a.wav").toStdString(), tests::sine(8000, 300, 16000)));
        write(folder + "/wav.scp", QByteArray("u_") + part + " a.wav\n");
        write(folder + "/text", QByteArray("u_") + part + " ONE TWO\nv GONE\n");
    }
    QVERIFY(QDir(m_folder.path()).mkpath("piped"));
    write("piped/wav.scp", "u touch done |\n");
    write("piped/text", "u ONE\n");
    QVERIFY(QDir(m_folder.path()).mkpath("bar"));
    write("bar/wav.scp", "u |\n");
    write("bar/text", "u ONE\n");
    QVERIFY(QDir(m_folder.path()).mkpath("own"));
    write("own/train.csv", "wav,text\na.wav,ONE\n");
    QVERIFY(QDir(m_folder.path()).mkpath("theirs"));
    write("theirs/train.csv", "by hand");
}

void TstPrepareCommand::corpus_givesManifestsChecksumsAndAReport()
{
    const Ended ended
        = runEarwright({ "prepare", "kaldi", "--corpus", path("kaldi"), "--out", path("out") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.startsWith("train      1 utterances"), qPrintable(ended.output));
    QVERIFY(ended.output.contains("dropped 3: not in wav.scp (v, v, v)"));
    QVERIFY(ended.output.contains("3 recorded in " + path("out/checksums.sha256")));
    QVERIFY(ended.output.endsWith(
        "all that was left out: " + path("out/earwright-prepared.json") + "\n"));
    for (const char* file :
        { "train.csv", "dev.csv", "test.csv", "checksums.sha256", "earwright-prepared.json" })
        QVERIFY(QFile::exists(path(QString("out/") + file)));
}

void TstPrepareCommand::checksums_canBeLeftOut()
{
    const Ended ended = runEarwright(
        { "prepare", "kaldi", "--corpus", path("kaldi"), "--out", path("bare"), "--no-checksums" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(QFile::exists(path("bare/train.csv")));
    QVERIFY(!QFile::exists(path("bare/checksums.sha256")));
}

/// JSON lines, in the language that is said.
void TstPrepareCommand::ownList_givesTheSplitsThatItHas()
{
    write("list.jsonl",
        R"({"key": "u1", "wav": "kaldi/train/a.wav", "txt": "IŞIK"})"
        "\n"
        R"({"key": "u2", "wav": "kaldi/dev/a.wav", "txt": "Route 66"})"
        "\n");
    const Ended ended = runEarwright({ "prepare", "json", "--json", path("list.jsonl"), "--lang",
        "tr", "--out", path("list out") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.contains("dropped 1: digits, which are read as words (line 2)"),
        qPrintable(ended.output));
    QVERIFY(bytesOf(path("list out/train.csv")).endsWith(",,ışık\n"));
    QVERIFY(!QFile::exists(path("list out/dev.csv")));
}

void TstPrepareCommand::whatCannotBeDone_isSaid_data()
{
    addRefusalColumns();
    const QStringList out { "--out", path("none") };
    const auto row = [](const char* name, const QStringList& words, int code, const char* said) {
        tests::row(name, QStringList { "prepare" } + words, code, said);
    };
    row("no corpus", out, 2, "name the corpus and --out DIR");
    row("no out", { "kaldi" }, 2, "name the corpus and --out DIR");
    row("unknown", QStringList { "wsj" } + out, 2, "unknown corpus 'wsj': prompts, corrections, csv, json");
    row("command", QStringList { "kaldi", "--corpus", path("piped") } + out, 1, "none is executed");
    row("empty command", QStringList { "kaldi", "--corpus", path("bar") } + out, 1,
        "an empty command in wav.scp: write the path of a file");
    row("underscore", QStringList { "common_voice", "--corpus", path("piped") } + out, 1,
        "train.tsv");
    row("misspelt flag", QStringList { "csv", "--csv", path("own/train.csv"), "--keep-txt" } + out,
        2, "unknown option --keep-txt; did you mean --keep-text?");
    row("misspelt option", QStringList { "kaldi", "--corpsu=x" } + out, 2,
        "unknown option --corpsu; did you mean --corpus?");
    row("override", QStringList { "kaldi", "lang=en" } + out, 2, "unknown option lang");
    row("another corpus's option", QStringList { "librispeech", "--lang", "en" } + out, 2,
        "'librispeech' takes no --lang, but --out, --corpus, --keep-text, --no-checksums");
    row("Libriheavy's audio",
        QStringList { "libriheavy", "--corpus", path("kaldi"), "--audio-root", path("kaldi") }
            + out,
        1, "has no libriheavy_cuts_….jsonl.gz of Libriheavy");
    row("texts of Libriheavy", QStringList { "libriheavy", "--keep-text" } + out, 2,
        "'libriheavy' takes no --keep-text");
    row("list of no list", QStringList { "librispeech", "--csv", "x" } + out, 2, "takes no --csv");
    row("flag of prompts", QStringList { "prompts", "--no-checksums" } + out, 2,
        "'prompts' takes no --no-checksums");
    write("header.csv", "wav,text\n");
    row("no rows", QStringList { "csv", "--csv", path("header.csv") } + out, 1,
        "header.csv' lists no utterance");
    row("no list", QStringList { "csv" } + out, 2, "name the list with --csv FILE");
    row("folder that is none",
        { "kaldi", "--corpus", path("kaldi"), "--out", path("own/train.csv/x") }, 1,
        "is no folder");
    row("somebody's manifest", { "kaldi", "--corpus", path("nowhere"), "--out", path("theirs") }, 1,
        "train.csv' is there and is not what an earlier preparation made");
    row("own list", { "csv", "--csv", path("own/train.csv"), "--out", path("own") }, 1,
        "would be overwritten");
    row("another layout", QStringList { "librispeech", "--corpus", path("kaldi/train") } + out, 1,
        "has no part of LibriSpeech");
}

void TstPrepareCommand::whatCannotBeDone_isSaid()
{
    verifyRefusal();
    QVERIFY(!QFile::exists(path("none")));
    QVERIFY(!QFile::exists("done"));
}

EARWRIGHT_TEST(TstPrepareCommand)
#include "tst_prepare_command.moc"
