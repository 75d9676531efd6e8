#include "tests/engine/refusals.h"
#include "tests/engine/speech.h"
#include "tests/engine/training.h"
#include "tests/files.h"

#include <nlohmann/json.hpp>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <sys/stat.h>

using namespace kymo::tests;
using nlohmann::json;

/// `kymo transcribe` on a small model of real digits.
class TstTranscribe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void manifest_isScoredAsTheRunScoredIt();
    void json_hasTheScores();
    void sentencesWithoutWords_areScoredByCharacter_data();
    void sentencesWithoutWords_areScoredByCharacter();
    void trainingOfSuchSentences_tellsNoWer();
    void emptyTranscripts_areScoredBesideOthers();
    void audioFiles_areNamedByTheirPath();
    void folder_isItsSounds();
    void foldersOfAFolder_areReadToo();
    void csv_needsNoTextsAndDurations();
    void brokenSound_costsItsOwnTextAlone();
    void outputs_areTriedBefore();
    void outputs_replaceNeitherLinksNorPipes();
    void textsThatCannotBeWritten_areAnErrorOrPrinted();
    void interrupt_keepsWhatWasHeard();
    void exportBeyondALimit_leavesNothing();
    void capsule_leavesNothingWhereItIsCutShort_data();
    void capsule_leavesNothingWhereItIsCutShort();
    void outputs_spareWhatIsRead_data();
    void outputs_spareWhatIsRead();
    void worst_areToldWhereAsked();
    void hotwords_areCountedAside();
    void nbest_isListedBestFirst();
    void importWithoutTraining_isTranscribedAndExported();
    void languageModel_andHotwordsTurnTexts();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { writeFile(path(name), text); }
    /// `isSecondLast`: the second utterance is read when all others are.
    QString longManifest(bool isSecondLast) const;

    QTemporaryDir m_folder;
    RealData m_data;
    QString m_run;
};

void TstTranscribe::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
    writeSet(path("set"), smallSet(m_data.folder, 24));
    m_run = path("run");
    const Ended trained = runKymo({ "train", m_data.recipe, "--data_folder=" + path("set"),
        "--devices", "cpu", "--run-dir", m_run, "--number_of_epochs=2", "--channels=32" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
}

void TstTranscribe::manifest_isScoredAsTheRunScoredIt()
{
    const QString manifest = path("set/test.csv");
    const Ended ended = runKymo(
        { "transcribe", m_run, manifest, "--device", "cpu", "--alignments", path("wer.txt") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const std::vector<QStringList> rows = readRows(manifest);
    const QStringList lines = ended.output.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(static_cast<size_t>(lines.size()), rows.size() - 1);
    for (int i = 0; i < lines.size(); ++i)
        QVERIFY(lines[i].startsWith(rows[static_cast<size_t>(i) + 1][0] + "\t"));
    QVERIFY(ended.errors.startsWith("%WER "));
    QVERIFY(ended.errors.contains("; 95 % interval "));
    const QByteArray recorded = bytesOf(m_run + "/alignments/test.txt");
    QVERIFY(!recorded.isEmpty());
    QCOMPARE(bytesOf(path("wer.txt")), recorded);
    QVERIFY(ended.errors.contains("by character: "
        + QString::fromUtf8(bytesOf(path("wer-characters.txt"))).split('\n').first()));
}

void TstTranscribe::json_hasTheScores()
{
    const Ended ended = runKymo({ "transcribe", m_run, path("set/test.csv"), "--device", "cpu",
        "--format", "json", "--beam-size", "5" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const json all = json::parse(ended.output.toStdString());
    for (const char* rate : { "WER", "CER" }) {
        const json scores = all.at("scores").at(rate);
        QVERIFY(scores.at("low") <= scores.at("percent"));
        QVERIFY(scores.at("high") >= scores.at("percent"));
        QVERIFY(scores.at("errors") > 0);
    }
    const json hypothesis = all.at("utterances").at(0).at("hypotheses").at(0);
    for (const json& word : hypothesis.at("frames")) {
        QVERIFY(word.at("begin") < word.at("end"));
        QVERIFY(word.at("begin_seconds") < word.at("end_seconds"));
    }
}

void TstTranscribe::sentencesWithoutWords_areScoredByCharacter_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("aligned");
    QTest::newRow("whole") << "今天天气"
                           << "今 ; 天 ; 天 ; 气";
    QTest::newRow("segmented") << "今天 天气"
                               << "今 ; 天 ; 天 ; 气";
    QTest::newRow("with English") << "打开菜单menu看看"
                                  << "打 ; 开 ; 菜 ; 单 ; menu ; 看 ; 看";
}

void TstTranscribe::sentencesWithoutWords_areScoredByCharacter()
{
    QFETCH(QString, text);
    QFETCH(QString, aligned);
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = text;
    writeRows(path("mandarin.csv"), rows);
    const Ended ended = runKymo({ "transcribe", m_run, path("mandarin.csv"), "--data-folder",
        path("set"), "--device", "cpu", "--alignments", path("cer.txt") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.startsWith("by character: %WER "), qPrintable(ended.errors));
    QCOMPARE(ended.errors.count("%WER"), 1);
    const QString alignments = QString::fromUtf8(bytesOf(path("cer.txt")));
    QVERIFY2(alignments.simplified().contains(aligned), qPrintable(alignments));
    QVERIFY(!QFile::exists(path("cer-characters.txt")));
}

/// The lines of `kymo train`, whose last is a table with the interval of what counts.
void TstTranscribe::trainingOfSuchSentences_tellsNoWer()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = row % 2 == 0 ? "今天 天气" : "去 北京";
    writeSet(path("hanzi"), rows);
    const Ended ended
        = runKymo({ "train", m_data.recipe, "--data_folder=" + path("hanzi"), "--devices", "cpu",
            "--run-dir", path("hanzi-run"), "--number_of_epochs=1", "--channels=32" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(!ended.errors.contains("valid WER"), qPrintable(ended.errors));
    const QRegularExpression row("\\ntest +1 +[0-9.]+ +- +([0-9.]+) +([0-9.]+) to ([0-9.]+)");
    const QRegularExpressionMatch match = row.match(ended.output);
    QVERIFY2(match.hasMatch(), qPrintable(ended.output));
    QVERIFY(match.captured(2).toDouble() <= match.captured(1).toDouble());
    QVERIFY(match.captured(3).toDouble() >= match.captured(1).toDouble());
    const QStringList asked { "runs", "--runs-dir", m_folder.path() };
    const QString list = runKymo(asked).output;
    QVERIFY2(list.contains(QRegularExpression("\nhanzi-run .* - +[0-9.]+\n")), qPrintable(list));
    const QString listed = runKymo(asked + QStringList { "--format", "json" }).output;
    QVERIFY2(listed.contains("\"test_rate\": \"CER\""), qPrintable(listed));
}

/// Of silence nothing may be written down: what a model writes there is an insertion.
void TstTranscribe::emptyTranscripts_areScoredBesideOthers()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    rows[1][4] = "";
    writeRows(path("silence.csv"), rows);
    const auto ended = [&](const QString& csv) {
        return runKymo({ "transcribe", m_run, path(csv), "--data-folder", path("set"), "--device",
            "cpu", "--alignments", path("silence.txt") });
    };
    QCOMPARE(ended("silence.csv").code, 0);
    const QString aligned = QString::fromUtf8(bytesOf(path("silence.txt")));
    QVERIFY2(aligned.contains(QString("Scored %1 sentences").arg(rows.size() - 1)),
        qPrintable(aligned.left(200)));
    QVERIFY(aligned.contains(rows[1][0] + ", "));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = "";
    writeRows(path("unwritten.csv"), rows); // nobody has written these down yet
    const Ended unscored = ended("unwritten.csv");
    QCOMPARE(unscored.code, 0);
    QVERIFY2(!unscored.errors.contains("%WER"), qPrintable(unscored.errors));
}

void TstTranscribe::audioFiles_areNamedByTheirPath()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const Ended ended = runKymo({ "transcribe", m_run, wav, wav, "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(wav + "\t"));
    QCOMPARE(lines[0], lines[1]);
    QVERIFY(ended.errors.isEmpty()); // nothing to score
}

/// Another rate and two channels are said; an equals sign in a name makes it no option.
void TstTranscribe::folder_isItsSounds()
{
    QVERIFY(QDir(m_folder.path()).mkpath("sounds"));
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QString copy = path("sounds/b." + QFileInfo(wav).suffix());
    QVERIFY(QFile::copy(wav, copy));
    writeStereo44k(wav, path("sounds/a=1.wav"));
    write("sounds/notes.txt", "no sound");
    const Ended ended = runKymo({ "transcribe", m_run, path("sounds"), "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith(path("sounds/a=1.wav") + "\t"));
    QVERIFY(lines[1].startsWith(copy + "\t"));
    QVERIFY2(ended.errors.startsWith("of 2 files 1 are averaged to one channel, 1 are resampled"),
        qPrintable(ended.errors));
    const Ended named = runKymo({ "transcribe", m_run, path("sounds/a=1.wav"), "--device", "cpu" });
    QCOMPARE(named.output, lines[0] + "\n");
}

/// Links are followed, but to what holds the folder; each folder is read once, by the first of its
/// links in their order; hidden ones are not.
void TstTranscribe::foldersOfAFolder_areReadToo()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    for (const char* folder : { "nested/b/c", "nested/.hidden", "linked" })
        QVERIFY(QDir(m_folder.path()).mkpath(folder));
    const QString name = "x." + QFileInfo(wav).suffix();
    for (const char* folder :
        { "nested/b/c/", "nested/b/", "nested/", "nested/.hidden/", "linked/" })
        QVERIFY(QFile::copy(wav, path(folder + name)));
    QVERIFY(QFile::link(path("linked"), path("nested/a")));
    QVERIFY(QFile::link(path("nested"), path("nested/b/c/back")));
    QVERIFY(QFile::link(path("nested/b"), path("linked/b")));
    QVERIFY(QFile::link(path("linked"), path("linked/self")));
    QVERIFY(QFile::link("..", path("nested/up")));
    for (char later = 'd'; later < 'l'; ++later)
        QVERIFY(QFile::link(path("linked"), path("nested/") + later));
    QStringList expected;
    for (const char* folder : { "a/", "b/c/", "b/", "" })
        expected.append(path("nested/") + folder + name);
    const Ended ended = runKymo({ "transcribe", m_run, path("nested"), "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QStringList ids;
    for (const QString& line : ended.output.split('\n', Qt::SkipEmptyParts))
        ids.append(line.section('\t', 0, 0));
    QCOMPARE(ids, expected);
}

void TstTranscribe::csv_needsNoTextsAndDurations()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (QStringList& row : rows)
        row = { row[0], row[2] };
    writeRows(path("bare.csv"), rows);
    const Ended bare = runKymo(
        { "transcribe", m_run, path("bare.csv"), "--data-folder", path("set"), "--device", "cpu" });
    QVERIFY2(bare.code == 0, qPrintable(bare.errors));
    QVERIFY2(bare.errors.isEmpty(), qPrintable(bare.errors));
    QCOMPARE(bare.output,
        runKymo({ "transcribe", m_run, path("set/test.csv"), "--device", "cpu" }).output);
    rows[2] = { rows[1][0], rows[1][1] };
    writeRows(path("twice.csv"), rows);
    const Ended twice = runKymo({ "transcribe", m_run, path("twice.csv"), "--device", "cpu" });
    QVERIFY2(twice.errors.contains("twice.csv', line 3: the ID"), qPrintable(twice.errors));
}

void TstTranscribe::brokenSound_costsItsOwnTextAlone()
{
    write("broken.wav", "RIFF of nothing");
    const QString good = readRows(path("set/test.csv")).at(1)[2];
    const QStringList asked { "transcribe", m_run, good, path("broken.wav"), good, "--device",
        "cpu" };
    const Ended ended = runKymo(asked);
    QCOMPARE(ended.code, 1);
    QCOMPARE(ended.output.count(good + "\t"), 2);
    QVERIFY(!ended.output.contains("broken.wav"));
    QVERIFY2(ended.errors.startsWith("utterance '" + path("broken.wav") + "': "),
        qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains("1 of 3 utterances have no text"), qPrintable(ended.errors));
    const Ended listed = runKymo(asked + QStringList { "--format", "json" });
    const json entries = json::parse(listed.output.toStdString()).at("utterances");
    QVERIFY(entries.at(0).contains("text") && !entries.at(1).contains("text"));
    QVERIFY(entries.at(1).at("error").get<std::string>().find("broken.wav") != std::string::npos);
}

void TstTranscribe::outputs_areTriedBefore()
{
    QVERIFY(QDir(m_folder.path()).mkpath("taken"));
    for (const char* option : { "--out", "--alignments" }) {
        for (const QString& file : { path("taken"), path("nowhere/x.txt") }) {
            const Ended ended = runKymo(
                { "transcribe", m_run, path("set/test.csv"), "--device", "cpu", option, file });
            QCOMPARE(ended.code, 1);
            QVERIFY2(ended.errors.startsWith("kymo: cannot write '" + file + "'"),
                qPrintable(ended.errors));
            QVERIFY(ended.output.isEmpty());
        }
    }
}

void TstTranscribe::outputs_replaceNeitherLinksNorPipes()
{
    const auto heard = [&](const QString& out) {
        return runKymo(
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

void TstTranscribe::textsThatCannotBeWritten_areAnErrorOrPrinted()
{
    const QStringList asked { "transcribe", m_run, path("set/test.csv"), "--device", "cpu" };
    const auto shell = [&](const QString& command, const QStringList& more) {
        QProcess process;
        process.start("sh", QStringList { "-c", command, kymoProgram() } + asked + more);
        process.waitForFinished(600000);
        return Ended { process.exitCode(), process.readAllStandardOutput(),
            process.readAllStandardError() };
    };
    const Ended full = shell("exec \"$0\" \"$@\" > /dev/full", {});
    QCOMPARE(full.code, 1);
    QCOMPARE(
        full.errors, QString("kymo: cannot write to standard output: No space left on device\n"));
    // Where a file takes no byte.
    const Ended limited
        = shell("ulimit -f 0 && exec \"$0\" \"$@\"", { "--out", path("limited.txt") });
    QCOMPARE(limited.code, 1);
    QVERIFY2(limited.errors.contains("limited.txt': File too large; the texts are printed instead"),
        qPrintable(limited.errors));
    QCOMPARE(limited.output, runKymo(asked).output);
    QVERIFY(!QFile::exists(path("limited.txt")));
}

/// Of one utterance over and over.
QString TstTranscribe::longManifest(bool isSecondLast) const
{
    const QStringList one = readRows(path("set/test.csv")).at(1);
    std::vector<QStringList> rows { { "ID", "duration", "wav" } };
    for (int i = 0; i < 4000; ++i) // the shorter, the earlier
        rows.push_back({ QString::number(i), isSecondLast && i == 1 ? "9" : "0.5", one[2] });
    writeRows(path("long.csv"), rows);
    return path("long.csv");
}

void TstTranscribe::interrupt_keepsWhatWasHeard()
{
    QProcess process;
    process.start(kymoProgram(),
        { "transcribe", m_run, longManifest(true), "--device", "cpu", "--batch-size", "1" });
    QVERIFY(process.waitForReadyRead(120000)); // the first text
    process.terminate();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    const QByteArray errors = process.readAllStandardError();
    const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
    QVERIFY(lines.size() < 3999);
    QVERIFY(errors.contains(
        "kymo: stopped: " + QByteArray::number(lines.size()) + " of 4000 utterances are written"));
    QVERIFY(lines.size() == 1 || lines[1].split('\t').first() == "2");
}

void TstTranscribe::exportBeyondALimit_leavesNothing()
{
    QVERIFY(QDir(m_folder.path()).mkpath("limited"));
    QProcess process;
    process.start("sh",
        { "-c", "ulimit -f 100 && exec \"$0\" \"$@\"", kymoProgram(), "export", m_run,
            path("limited/x.zip") });
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("File too large"));
    QVERIFY(QDir(path("limited"))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                .isEmpty());
}

void TstTranscribe::capsule_leavesNothingWhereItIsCutShort_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("code");
    QTest::newRow("closed pipe") << "\"$0\" \"$@\" | head -n 1" << 0;
    QTest::newRow("closed terminal") << "\"$0\" \"$@\" & "
                                        "while ! ls -d \"$TMPDIR\"/kymo-* 2>/dev/null; do :; done; "
                                        "kill -HUP $!; wait $!"
                                     << 130;
    QTest::newRow("limited file") << "ulimit -f 1; \"$0\" \"$@\"" << 1;
}

void TstTranscribe::capsule_leavesNothingWhereItIsCutShort()
{
    QFETCH(QString, command);
    QFETCH(int, code);
    const QString capsule = path("cut.kymo");
    if (!QFile::exists(capsule))
        QCOMPARE(runKymo({ "export", m_run, capsule }).code, 0);
    QTemporaryDir scratch;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", scratch.path());
    process.setProcessEnvironment(environment);
    process.start("sh",
        { "-c", command, kymoProgram(), "transcribe", capsule, longManifest(false), "--device",
            "cpu", "--batch-size", "1" });
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), code);
    QCOMPARE(
        QDir(scratch.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
}

/// By whatever name they are reached; the second file of --alignments is an output too.
void TstTranscribe::outputs_spareWhatIsRead_data()
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

void TstTranscribe::outputs_spareWhatIsRead()
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
    const Ended ended = runKymo(
        QStringList { "transcribe", m_run, path("read.csv"), "--device", "cpu" } + options);
    QCOMPARE(ended.code, 1);
    QCOMPARE(ended.errors, "kymo: " + said + "\n");
    QCOMPARE(bytesOf(path("read.wav")), sound);
    QCOMPARE(bytesOf(path("read.csv")), manifest);
    QCOMPARE(bytesOf(m_run + "/recipe.yaml") + bytesOf(m_run + "/plan.json"), run);
    QCOMPARE(
        bytesOf(path("read.txt")) + bytesOf(path("read-characters.txt")), QByteArray("ONE\nONE\n"));
    QVERIFY(!QFile::exists(path("written")) && !QFile::exists(path("w-characters")));
}

void TstTranscribe::worst_areToldWhereAsked()
{
    const QStringList asked { "transcribe", m_run, path("set/test.csv"), "--device", "cpu" };
    const Ended ended = runKymo(asked + QStringList { "--print-top-wer", "2" });
    QCOMPARE(ended.code, 0);
    QVERIFY2(ended.errors.contains("UTTERANCES WITH HIGHEST WER\n"), qPrintable(ended.errors));
    const QString speaker = readRows(path("set/test.csv")).at(1)[3];
    QVERIFY2(ended.errors.contains("SPEAKERS WITH HIGHEST WER\n" + speaker + " %WER "),
        qPrintable(ended.errors));
    QVERIFY(!runKymo(asked).errors.contains("HIGHEST"));
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const Ended unknown
        = runKymo({ "transcribe", m_run, wav, "--device", "cpu", "--print-top-wer", "2" });
    QCOMPARE(unknown.code, 1);
    QVERIFY2(
        unknown.errors.contains("needs a manifest with transcripts"), qPrintable(unknown.errors));
}

/// The phrases that are counted need not be those that are listened for.
void TstTranscribe::hotwords_areCountedAside()
{
    const std::vector<QStringList> rows = readRows(path("set/test.csv"));
    write("spoken.txt", rows[1][4].split(' ').first().toUtf8() + "\n");
    write("unspoken.txt", "XYLOPHONE\n");
    write("silent.txt", "\n");
    const auto errors = [&](const QStringList& more) {
        return runKymo(
            QStringList { "transcribe", m_run, path("set/test.csv"), "--device", "cpu" } + more)
            .errors;
    };
    QVERIFY(!errors({}).contains("hotwords"));
    const QString counted
        = errors({ "--hotwords", path("silent.txt"), "--count-hotwords", path("spoken.txt") });
    QVERIFY2(counted.contains("hotwords: recall "), qPrintable(counted));
    QVERIFY(!counted.contains("no training text")); // it is in one
    const QString none = errors({ "--count-hotwords", path("unspoken.txt") });
    QVERIFY2(none.contains("hotwords: none spoken (0 heard)"), qPrintable(none));
    QVERIFY2(none.contains("hotwords of no training text: none spoken"), qPrintable(none));
}

void TstTranscribe::nbest_isListedBestFirst()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QStringList asked { "transcribe", m_run, wav, "--nbest", "3", "--device", "cpu" };
    const Ended text = runKymo(asked);
    QVERIFY2(text.code == 0, qPrintable(text.errors));
    const Ended ended = runKymo(asked + QStringList { "--format", "json" });
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

void TstTranscribe::importWithoutTraining_isTranscribedAndExported()
{
    const QString run = path("imported");
    const Ended trained
        = runKymo({ "train", m_data.recipe, "--data_folder=" + path("set"), "--devices", "cpu",
            "--run-dir", run, "--number_of_epochs=0", "--channels=32", "--init_param=" + m_run });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    QCOMPARE(runKymo({ "export", run, path("imported.zip") }).code, 0);
    const auto heard = [&](const QString& model) {
        const Ended ended
            = runKymo({ "transcribe", model, path("set/test.csv"), "--device", "cpu" });
        return ended.code == 0 ? ended.output : ended.errors;
    };
    QCOMPARE(heard(run), heard(m_run));
    QCOMPARE(heard(path("imported.zip")), heard(m_run));
}

void TstTranscribe::languageModel_andHotwordsTurnTexts()
{
    // What one sentence allows: a heavy model leaves little else.
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QString word = readRows(path("set/test.csv")).at(1)[4].split(' ').first();
    const auto heard = [&](const QStringList& more) {
        const Ended ended
            = runKymo(QStringList { "transcribe", m_run, wav, "--device", "cpu" } + more);
        return ended.code == 0 ? ended.output : QString();
    };
    write("word.txt", word.toUtf8() + "\n");
    write("nothing.txt", "\n");
    QCOMPARE(heard({ "--hotwords", path("nothing.txt") }), heard({}));
    QVERIFY(heard({ "--hotwords", path("word.txt"), "--hotword-weight", "20", "--beam-size", "50" })
                .contains(word));
    const Ended made
        = runKymo({ "lm", path("word.txt"), "--order", "2", "--out", path("word.bin") });
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    const QString plain = heard({ "--beam-size", "50" });
    const QString led
        = heard({ "--lm", path("word.bin"), "--lm-weight", "4", "--word-bonus", "30" });
    QVERIFY(!plain.isEmpty() && !led.isEmpty());
    QVERIFY(led != plain);
    const Ended few = runKymo({ "transcribe", m_run, wav, "--device", "cpu", "--lm",
        path("word.bin"), "--lm-weight", "4", "--word-bonus", "30", "--nbest", "90" });
    QVERIFY(few.output.count('\n') < 90);
    QVERIFY2(few.errors.contains("1 of 1 utterances have fewer than 90 texts: "),
        qPrintable(few.errors));
}

void TstTranscribe::whatCannotBeDone_isSaid_data()
{
    addRefusalColumns();
    const QString wav = m_run.isEmpty() ? QString() : readRows(path("set/test.csv")).at(1)[2];
    write("letters.txt", "æ\n");
    write("gbk.txt", "ONE\n\xd6\xd0\xb9\xfa\n");
    const auto transcribe = [&](const QStringList& more) {
        return QStringList { "transcribe", m_run, wav } + more;
    };
    row("no audio", { "transcribe", m_run }, 2, "name a run");
    row("no such run", { "transcribe", "none", wav }, 1, "no run 'none'");
    if (!m_run.isEmpty())
        QCOMPARE(runKymo({ "plan", m_data.recipe, "--data_folder=" + path("set"), "--devices",
                             "cpu", "--run-dir", path("planned") })
                     .code,
            0);
    row("no checkpoint", { "transcribe", path("planned"), wav }, 1, "has no complete checkpoint\n");
    row("no such audio", { "transcribe", m_run, path("none.wav") }, 1, "none.wav");
    row("no such option", transcribe({ "--beams=3" }), 2, "--beams");
    row("beams", transcribe({ "--beam-size", "0" }), 2, "takes a whole number from 1 to 1000000");
    row("too many", transcribe({ "--beam-size", "2000000" }), 2, "number from 1 to 1000000");
    row("option", transcribe({ "--hotword", "x" }), 2, "did you mean --hotwords?");
    row("format", transcribe({ "--format", "xml" }), 2, "--format is text or json");
    row("hotword", transcribe({ "--hotwords", path("letters.txt") }), 1, "has the letter 'æ'");
    row("no list", transcribe({ "--hotword-weight", "2" }), 1, "needs a list of them");
    row("no model to weigh", transcribe({ "--word-bonus", "2" }), 1, "name one with --lm");
    row("nbest", transcribe({ "--nbest", "9", "--beam-size", "3" }), 2, "than --beam-size keeps");
    row("long name", { "transcribe", m_run, QString(300, 'x') }, 3, "File name too long");
    row("model", transcribe({ "--lm", path("letters.txt") }), 1, "is no language model");
    row("no model", transcribe({ "--lm", path("none.arpa") }), 1, "none.arpa");
    row("device", transcribe({ "--device", "cuda:99" }), 1, "cuda:99");
    row("devices", transcribe({ "--device", "cpu:2" }), 1, "takes one device");
    row("device's name", transcribe({ "--device", "gpu" }), 1, "takes cpu, cuda or cuda:N");
    row("list in GBK", transcribe({ "--hotwords", path("gbk.txt") }), 1, "gbk.txt:2: ");
    row("no list to count", transcribe({ "--count-hotwords", path("none.txt") }), 1, "none.txt");
    row("empty folder", { "transcribe", m_run, m_run + "/logs" }, 1, "has no sound in it");
    QCOMPARE(::mkfifo(qPrintable(path("pipe.wav")), 0600), 0);
    const char* const wanted = "pipe.wav', which is neither a file nor a folder: write";
    row("sounds of a pipe", { "transcribe", m_run, path("pipe.wav") }, 1, wanted);
    row("a pipe for a run", { "transcribe", path("pipe.wav"), wav }, 1, "no run '");
    row("points of a pipe", { "runs", path("pipe.wav") }, 1, "no run '");
    const auto listed = [&](const char* name, const QByteArray& text) {
        write(name, text);
        return QStringList { "transcribe", m_run, path(name) };
    };
    row("no rows", listed("header.csv", "ID,wav\n"), 1, "header.csv' lists no utterance");
    row("no members", listed("none.json", "{}"), 1, "none.json' lists no utterance");
    row("columns", listed("lower.csv", "id,wav\na,a.wav\n"), 1,
        "line 1: no column 'ID'; there are: id, wav\n");
    row("fields", listed("fields.csv", "ID,wav\na,a.wav,ONE\n"), 1,
        "line 2: 3 fields where the header has 2;");
    row("Kaldi's list", listed("wav.scp", "a a.wav\n"), 1, "`kymo prepare kaldi` makes a manifest");
    row("WeNet's list", listed("data.list", "{}\n"), 1, "`kymo prepare json` makes a manifest");
    row("one manifest twice", listed("twice.csv", "ID,wav\na,a.wav\n") << path("./twice.csv"), 1,
        "./twice.csv' is named twice, also as '");
    row("alignments in a pipe",
        { "transcribe", m_run, path("set/test.csv"), "--alignments", path("pipe.wav") }, 1,
        "--alignments is '");
    row("alignments", transcribe({ "--alignments", path("a.txt") }), 1, "with transcripts");
}

void TstTranscribe::whatCannotBeDone_isSaid()
{
    verifyRefusal();
    QVERIFY(!QFile::exists(path("x")));
}

QTEST_GUILESS_MAIN(TstTranscribe)
#include "tst_transcribe.moc"
