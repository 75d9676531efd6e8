#include "tests/engine/small_run.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace earwright::tests;
using nlohmann::json;

/// What `earwright transcribe` and `export` write, and what they leave where they cannot.
class TstTranscribeOutputs : public QObject, private SmallRun {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nbest_isListedBestFirst();
    void outputs_areTriedBefore();
    void outputs_replaceNeitherLinksNorPipes();
    void textsThatCannotBeWritten_areAnErrorOrPrinted();
    void interrupt_keepsWhatWasHeard();
    void exportBeyondALimit_leavesNothing();
    void capsule_leavesNothingWhereItIsCutShort_data();
    void capsule_leavesNothingWhereItIsCutShort();
    void outputs_spareWhatIsRead_data();
    void outputs_spareWhatIsRead();

private:
    /// Of one utterance over and over. `isSecondLast`: the second is longer and so heard last.
    QString longManifest(bool isSecondLast) const
    {
        const QStringList one = readRows(path("set/test.csv")).at(1);
        std::vector<QStringList> rows { { "ID", "duration", "wav" } };
        for (int i = 0; i < 4000; ++i)
            rows.push_back({ QString::number(i), one[1], one[2] });
        if (isSecondLast) {
            const double seconds = writeRepeated(one[2], path("longer.wav"), 9);
            rows[2] = { "1", QString::number(seconds), path("longer.wav") };
        }
        writeRows(path("long.csv"), rows);
        return path("long.csv");
    }
};

void TstTranscribeOutputs::initTestCase()
{
    if (!train())
        QSKIP(kNoRealData);
}

void TstTranscribeOutputs::nbest_isListedBestFirst()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QStringList asked { "transcribe", m_run, wav, "--nbest", "3", "--device", "cpu" };
    const Ended text = runEarwright(asked);
    QVERIFY2(text.code == 0, qPrintable(text.errors));
    const Ended ended = runEarwright(asked + QStringList { "--format", "json" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const json hypotheses
        = json::parse(ended.output.toStdString()).at("utterances").at(0).at("hypotheses");
    QCOMPARE(text.output.count('\n'), static_cast<int>(hypotheses.size()));
    const QString score = text.output.section('\t', 2, 2);
    QCOMPARE(score.toDouble(), hypotheses[0].at("score").get<double>());
    QVERIFY2(score.size() <= 14, qPrintable(score)); // of a float32, not of a double
    QVERIFY(hypotheses.size() >= 2 && hypotheses.size() <= 3);
    for (size_t i = 1; i < hypotheses.size(); ++i) {
        QVERIFY(hypotheses[i - 1].at("score") >= hypotheses[i].at("score"));
        QVERIFY(hypotheses[i - 1].at("text") != hypotheses[i].at("text"));
    }
}

void TstTranscribeOutputs::outputs_areTriedBefore()
{
    QVERIFY(QDir().mkpath(path("taken")));
    for (const char* option : { "--out", "--alignments" }) {
        for (const QString& file : { path("taken"), path("nowhere/x.txt") }) {
            const Ended ended = runEarwright(
                { "transcribe", m_run, path("set/test.csv"), "--device", "cpu", option, file });
            QCOMPARE(ended.code, 1);
            QVERIFY2(ended.errors.startsWith("earwright: cannot write '" + file + "'"),
                qPrintable(ended.errors));
            QVERIFY(ended.output.isEmpty());
        }
    }
}

void TstTranscribeOutputs::outputs_replaceNeitherLinksNorPipes()
{
    const auto heard = [&](const QString& out) {
        return runEarwright(
            { "transcribe", m_run, path("set/test.csv"), "--device", "cpu", "--out", path(out) });
    };
    write("out.txt.tmp", "somebody's");
    QVERIFY(QFile::link("out.txt", path("out.link")));
    const Ended linked = heard("out.link");
    QVERIFY2(linked.code == 0, qPrintable(linked.errors));
    QVERIFY(QFileInfo(path("out.link")).isSymLink());
    QCOMPARE(bytesOf(path("out.txt.tmp")), QByteArray("somebody's"));
    QCOMPARE(::mkfifo(qPrintable(path("out.pipe")), 0600), 0);
    QProcess reader;
    reader.start("cat", { path("out.pipe") });
    const Ended piped = heard("out.pipe");
    QVERIFY2(piped.code == 0, qPrintable(piped.errors));
    QVERIFY(reader.waitForFinished());
    QCOMPARE(reader.readAllStandardOutput(), bytesOf(path("out.txt")));
    QVERIFY(!bytesOf(path("out.txt")).isEmpty());
}

void TstTranscribeOutputs::textsThatCannotBeWritten_areAnErrorOrPrinted()
{
    const QStringList asked { "transcribe", m_run, path("set/test.csv"), "--device", "cpu" };
    const auto shell = [&](const QString& command, const QStringList& more) {
        QProcess process;
        process.start("sh", QStringList { "-c", command, earwrightProgram() } + asked + more);
        process.waitForFinished(600000);
        return Ended { process.exitCode(), process.readAllStandardOutput(),
            process.readAllStandardError() };
    };
    const Ended full = shell("exec \"$0\" \"$@\" > /dev/full", {});
    QCOMPARE(full.code, 3);
    QCOMPARE(full.errors,
        QString("earwright: cannot write to standard output: No space left on device\n"));
    // Where a file takes no byte.
    const Ended limited
        = shell("ulimit -f 0 && exec \"$0\" \"$@\"", { "--out", path("limited.txt") });
    QCOMPARE(limited.code, 3);
    QVERIFY2(limited.errors.contains("limited.txt': File too large; the texts are printed instead"),
        qPrintable(limited.errors));
    QCOMPARE(limited.output, runEarwright(asked).output);
    QVERIFY(!QFile::exists(path("limited.txt")));
}

void TstTranscribeOutputs::interrupt_keepsWhatWasHeard()
{
    QProcess process;
    process.start(earwrightProgram(),
        { "transcribe", m_run, longManifest(true), "--device", "cpu", "--batch-size", "1" });
    QVERIFY(process.waitForReadyRead(120000)); // the first text
    process.terminate();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    const QByteArray errors = process.readAllStandardError();
    const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
    QVERIFY(lines.size() < 3999);
    QVERIFY(errors.contains("earwright: stopped: " + QByteArray::number(lines.size())
        + " of 4000 utterances are written"));
    QVERIFY(lines.size() == 1 || lines[1].split('\t').first() == "2");
}

void TstTranscribeOutputs::exportBeyondALimit_leavesNothing()
{
    QVERIFY(QDir().mkpath(path("limited")));
    QProcess process;
    process.start("sh",
        { "-c", "ulimit -f 100 && exec \"$0\" \"$@\"", earwrightProgram(), "export", m_run,
            path("limited/x.zip") });
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("File too large"));
    QVERIFY(QDir(path("limited"))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                .isEmpty());
}

void TstTranscribeOutputs::capsule_leavesNothingWhereItIsCutShort_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("code");
    QTest::newRow("closed pipe") << "\"$0\" \"$@\" | head -n 1" << 0;
    QTest::newRow("closed terminal")
        << "\"$0\" \"$@\" & "
           "while ! ls -d \"$TMPDIR\"/earwright-* 2>/dev/null; do :; done; "
           "kill -HUP $!; wait $!"
        << 130;
    QTest::newRow("limited file") << "ulimit -f 1; \"$0\" \"$@\"" << 1;
}

void TstTranscribeOutputs::capsule_leavesNothingWhereItIsCutShort()
{
    QFETCH(QString, command);
    QFETCH(int, code);
    const QString capsule = path("cut.earwright");
    if (!QFile::exists(capsule))
        QCOMPARE(runEarwright({ "export", m_run, capsule }).code, 0);
    QTemporaryDir scratch;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", scratch.path());
    process.setProcessEnvironment(environment);
    process.start("sh",
        { "-c", command, earwrightProgram(), "transcribe", capsule, longManifest(false), "--device",
            "cpu", "--batch-size", "1" });
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), code);
    QCOMPARE(
        QDir(scratch.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

/// By whatever name they are reached; the second file of --alignments is an output too.
void TstTranscribeOutputs::outputs_spareWhatIsRead_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("said");
    const QString read = "', which is to be read: name another file";
    const auto row = [](const char* name, const QStringList& options, const QString& said) {
        QTest::newRow(name) << options << said;
    };
    row("manifest", { "--out", path("read.csv") }, "--out is '" + path("read.csv") + read);
    row("sound", { "--alignments", path("read.wav") },
        "--alignments is '" + path("read.wav") + read);
    row("link", { "--out", path("read.link") }, "--out is '" + path("read.wav") + read);
    row("hotwords", { "--hotwords", path("read.txt"), "--out", path("read.txt") },
        "--out is '" + path("read.txt") + read);
    row("counted", { "--count-hotwords", path("read.txt"), "--out", path("read.txt") },
        "--out is '" + path("read.txt") + read);
    row("model", { "--lm", path("read.txt"), "--out", path("read.txt") },
        "--out is '" + path("read.txt") + read);
    row("by character",
        { "--hotwords", path("read-characters.txt"), "--alignments", path("read.txt") },
        "the second file of --alignments is '" + path("read-characters.txt") + read);
    for (const QString& file : { m_run + "/recipe.yaml", m_run + "/plan.json" })
        for (const char* option : { "--out", "--alignments" })
            QTest::newRow(qPrintable(QFileInfo(file).fileName() + option))
                << QStringList { option, file }
                << "'" + file
                    + "' is there already, in the folder of the run that is read: name a new file";
    row("each other", { "--out", path("written"), "--alignments", path("set/../written") },
        "--alignments and --out are one file, '" + path("set/../written") + "': name two");
    row("second file", { "--out", path("w-characters"), "--alignments", path("w") },
        "the second file of --alignments and --out are one file, '" + path("w-characters")
            + "': name two");
}

void TstTranscribeOutputs::outputs_spareWhatIsRead()
{
    QFETCH(QStringList, options);
    QFETCH(QString, said);
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    rows.resize(2);
    const QByteArray sound = bytesOf(rows[1][2]);
    write("read.wav", sound);
    rows[1][2] = path("read.wav");
    writeRows(path("read.csv"), rows);
    write("read.txt", "ONE\n");
    write("read-characters.txt", "ONE\n");
    QFile::link(path("read.wav"), path("read.link"));
    const QByteArray manifest = bytesOf(path("read.csv"));
    const QByteArray run = bytesOf(m_run + "/recipe.yaml") + bytesOf(m_run + "/plan.json");
    const Ended ended = runEarwright(
        QStringList { "transcribe", m_run, path("read.csv"), "--device", "cpu" } + options);
    QCOMPARE(ended.code, 1);
    QCOMPARE(ended.errors, "earwright: " + said + "\n");
    QCOMPARE(bytesOf(path("read.wav")), sound);
    QCOMPARE(bytesOf(path("read.csv")), manifest);
    QCOMPARE(bytesOf(m_run + "/recipe.yaml") + bytesOf(m_run + "/plan.json"), run);
    QCOMPARE(
        bytesOf(path("read.txt")) + bytesOf(path("read-characters.txt")), QByteArray("ONE\nONE\n"));
    QVERIFY(!QFile::exists(path("written")) && !QFile::exists(path("w-characters")));
}

EARWRIGHT_TEST(TstTranscribeOutputs)
#include "tst_transcribe_outputs.moc"
