#include "tests/engine/speech.h"
#include "tests/engine/training.h"
#include "tests/files.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>

using namespace kymo::tests;
using nlohmann::json;

/// `kymo lm` and `kymo transcribe` on a small model of real digits.
class TstTranscribe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void manifest_isScoredAsTheRunScoredIt();
    void sentencesWithoutWords_areScoredByCharacter();
    void audioFiles_areNamedByTheirPath();
    void brokenSound_costsItsOwnTextAlone();
    void nbest_isListedBestFirst();
    void languageModel_andHotwordsTurnTexts();
    void languageModel_isTrainedFromManifestsAndTexts();
    void stoppedTraining_leavesNothing();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { writeFile(path(name), text); }

    QTemporaryDir m_folder;
    RealData m_data;
    QString m_run;
};

void TstTranscribe::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP("neither KYMO_DATA_DIR/fsdd nor the prompts of asterisk-core-sounds-en-wav are "
              "there");
    writeSet(path("set"), smallSet(m_data.folder, 24));
    m_run = path("run");
    const Ended trained = runKymo({ "train", m_data.recipe, "--data_folder=" + path("set"),
        "--devices", "cpu", "--run-dir", m_run, "--number_of_epochs=2", "--channels=32" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
}

void TstTranscribe::manifest_isScoredAsTheRunScoredIt()
{
    const QString manifest = path("set/test.csv");
    const Ended ended = runKymo({ "transcribe", m_run, manifest, "--batch-size", "32", "--device",
        "cpu", "--alignments", path("wer.txt") });
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
}

void TstTranscribe::sentencesWithoutWords_areScoredByCharacter()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = "今天天气";
    writeRows(path("mandarin.csv"), rows);
    const Ended ended = runKymo({ "transcribe", m_run, path("mandarin.csv"), "--data-folder",
        path("set"), "--device", "cpu", "--alignments", path("cer.txt") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.startsWith("by character: %WER "), qPrintable(ended.errors));
    QCOMPARE(ended.errors.count("%WER"), 1);
    const QString alignments = QString::fromUtf8(bytesOf(path("cer.txt")));
    QVERIFY2(alignments.simplified().contains("今 ; 天 ; 天 ; 气"), qPrintable(alignments));
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
    QVERIFY2(
        ended.errors.contains("1 of 3 utterances could not be read"), qPrintable(ended.errors));
    const Ended listed = runKymo(asked + QStringList { "--format", "json" });
    const json entries = json::parse(listed.output.toStdString());
    QVERIFY(entries.at(0).contains("text") && !entries.at(1).contains("text"));
    QVERIFY(entries.at(1).at("error").get<std::string>().find("broken.wav") != std::string::npos);
}

void TstTranscribe::nbest_isListedBestFirst()
{
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const QStringList asked { "transcribe", m_run, wav, "--nbest", "3", "--device", "cpu" };
    const Ended text = runKymo(asked);
    QVERIFY2(text.code == 0, qPrintable(text.errors));
    const Ended ended = runKymo(asked + QStringList { "--format", "json" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const json hypotheses = json::parse(ended.output.toStdString()).at(0).at("hypotheses");
    QCOMPARE(text.output.count('\n'), static_cast<int>(hypotheses.size()));
    QVERIFY(hypotheses.size() >= 2 && hypotheses.size() <= 3);
    for (size_t i = 1; i < hypotheses.size(); ++i) {
        QVERIFY(hypotheses[i - 1].at("score") >= hypotheses[i].at("score"));
        QVERIFY(hypotheses[i - 1].at("text") != hypotheses[i].at("text"));
    }
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
}

void TstTranscribe::languageModel_isTrainedFromManifestsAndTexts()
{
    write("more.txt", "ONE TWO THREE\n\n  ONE   TWO\n");
    const Ended ended = runKymo({ "lm", path("set/train.csv"), path("more.txt"), "--out",
        path("digits.arpa"), "--order", "3" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(ended.output.contains("order 3, 26 sentences"));
    const QByteArray arpa = bytesOf(path("digits.arpa"));
    QVERIFY(arpa.startsWith("\\data\\"));
    QVERIFY(arpa.contains("ONE TWO THREE"));
    QVERIFY(arpa.endsWith("\\end\\\n"));
    QVERIFY(QDir(m_folder.path()).entryList({ ".kymo-lm-*" }, QDir::Dirs | QDir::Hidden).isEmpty());
    write("hanzi.txt", "今天天气\n今天\n");
    QCOMPARE(runKymo({ "lm", path("hanzi.txt"), "--characters", "--order", "2", "--out",
                         path("hanzi.arpa") })
                 .code,
        0);
    QVERIFY(bytesOf(path("hanzi.arpa")).contains("今 天"));
}

void TstTranscribe::stoppedTraining_leavesNothing()
{
    QByteArray text;
    for (int i = 0; i < 200000; ++i)
        text += "WORD" + QByteArray::number(i % 50000) + " ONE TWO " + QByteArray::number(i) + "\n";
    write("long.txt", text);
    QDir folder(m_folder.path());
    QVERIFY(folder.mkdir("models") && folder.cd("models"));
    const auto left
        = [&] { return folder.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); };
    QProcess process;
    process.start(kymoProgram(), { "lm", path("long.txt"), "--out", folder.filePath("long.arpa") });
    QVERIFY(QTest::qWaitFor([&] { return !left().isEmpty(); }, 60000));
    process.terminate();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardError().contains("nothing was written"));
    QCOMPARE(left(), QStringList());
}

void TstTranscribe::whatCannotBeDone_isSaid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const QString wav = m_run.isEmpty() ? QString() : readRows(path("set/test.csv")).at(1)[2];
    write("letters.txt", "æ\n");
    write("marker.txt", "ONE TWO\nONE </s>\n");
    write("empty.txt", "\n  \n");
    const auto transcribe = [&](const QStringList& more) {
        return QStringList { "transcribe", m_run, wav } + more;
    };
    const auto row = [](const char* name, const QStringList& words, int code, const char* said) {
        QTest::newRow(name) << words << code << QString(said);
    };
    row("no audio", { "transcribe", m_run }, 2, "name a run");
    row("no such run", { "transcribe", "none", wav }, 1, "no run 'none'");
    row("no such audio", { "transcribe", m_run, path("none.wav") }, 1, "none.wav");
    row("no such option", transcribe({ "--beams=3" }), 2, "--beams");
    row("beams", transcribe({ "--beam-size", "0" }), 2, "--beam-size takes a whole number");
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
    row("alignments", transcribe({ "--alignments", path("a.txt") }), 1, "with transcripts");
    row("lm: no out", { "lm", path("marker.txt") }, 2, "--out FILE");
    row("lm: order", { "lm", path("marker.txt"), "--out", path("x"), "--order", "9" }, 2, "2 to 6");
    row("lm: words", { "lm", path("letters.txt"), "--out", path("x"), "--order", "1" }, 2,
        "2 to 6");
    row("lm: marker", { "lm", path("marker.txt"), "--out", path("x") }, 1,
        "sentence 2: '</s>' is no word");
    row("lm: nothing", { "lm", path("empty.txt"), "--out", path("x") }, 1, "no sentence");
    row("lm: no text", { "lm", path("none.txt"), "--out", path("x") }, 1, "none.txt");
    row("lm: no folder", { "lm", path("letters.txt"), "--out", path("none/x") }, 3, "none/x");
    row("lm: prune", { "lm", path("letters.txt"), "--out", path("x"), "--prune", "1 0" }, 2,
        "none less than the one before");
}

void TstTranscribe::whatCannotBeDone_isSaid()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Ended ended = runKymo(words);
    QCOMPARE(ended.code, code);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QVERIFY(!QFile::exists(path("x")));
}

QTEST_GUILESS_MAIN(TstTranscribe)
#include "tst_transcribe.moc"
