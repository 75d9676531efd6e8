#include "tests/engine/small_run.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <QRegularExpression>

using namespace earwright::tests;
using nlohmann::json;

/// What `earwright transcribe` says of texts beside the transcripts of a manifest.
class TstTranscribeScores : public QObject, private SmallRun {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void manifest_isScoredAsTheRunScoredIt();
    void json_hasTheScores();
    void whiteSpace_partsWordsWhateverItIs();
    void otherLetters_areToldInOneLine();
    void sentencesWithoutWords_areScoredByCharacter_data();
    void sentencesWithoutWords_areScoredByCharacter();
    void trainingOfSuchSentences_tellsNoWer();
    void emptyTranscripts_areScoredBesideOthers();
    void worst_areToldWhereAsked();
    void hotwords_areCountedAside();
};

void TstTranscribeScores::initTestCase()
{
    if (!train())
        QSKIP(kNoRealData);
}

void TstTranscribeScores::manifest_isScoredAsTheRunScoredIt()
{
    const QString manifest = path("set/test.csv");
    const Ended ended = runEarwright(
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

void TstTranscribeScores::json_hasTheScores()
{
    const Ended ended = runEarwright({ "transcribe", m_run, path("set/test.csv"), "--device", "cpu",
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

void TstTranscribeScores::whiteSpace_partsWordsWhateverItIs()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = QStringLiteral("\u3000")
            + rows[row][4].replace(' ', QStringLiteral(" \u00a0")) + "  ";
    writeRows(path("spaced.csv"), rows);
    const auto errors = [&](const QString& csv) {
        return runEarwright(
            { "transcribe", m_run, path(csv), "--data-folder", path("set"), "--device", "cpu" })
            .errors;
    };
    const QString spaced = errors("spaced.csv");
    QVERIFY2(spaced.startsWith("%WER "), qPrintable(spaced));
    QCOMPARE(spaced, errors("set/test.csv"));
}

void TstTranscribeScores::otherLetters_areToldInOneLine()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    const bool areCapital = rows[1][4] == rows[1][4].toUpper();
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = areCapital ? rows[row][4].toLower() : rows[row][4].toUpper();
    writeRows(path("case.csv"), rows);
    const QString errors = runEarwright(
        { "transcribe", m_run, path("case.csv"), "--data-folder", path("set"), "--device", "cpu" })
                               .errors;
    QVERIFY2(errors.contains(QRegularExpression(
                 "\nwarning: of the transcripts the model cannot write ([0-9]+) of the \\1 words, "
                 "which have '.*; it writes "
                 + QString(areCapital ? "capital" : "small") + " letters\n")),
        qPrintable(errors));
    QCOMPARE(errors.count("cannot write"), 1);
}

void TstTranscribeScores::sentencesWithoutWords_areScoredByCharacter_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("aligned");
    QTest::newRow("whole") << "今天天气"
                           << "今 ; 天 ; 天 ; 气";
    QTest::newRow("segmented") << "今天 天气"
                               << "今 ; 天 ; 天 ; 气";
    QTest::newRow("Thai") << "น้ำ ดีมาก"
                          << "น้ำ ; ดี ; ม ; า ; ก";
    QTest::newRow("with English") << "打开菜单menu看看"
                                  << "打 ; 开 ; 菜 ; 单 ; menu ; 看 ; 看";
}

void TstTranscribeScores::sentencesWithoutWords_areScoredByCharacter()
{
    QFETCH(QString, text);
    QFETCH(QString, aligned);
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = text;
    writeRows(path("mandarin.csv"), rows);
    const Ended ended = runEarwright({ "transcribe", m_run, path("mandarin.csv"), "--data-folder",
        path("set"), "--device", "cpu", "--alignments", path("cer.txt") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.startsWith("by character: %WER "), qPrintable(ended.errors));
    QCOMPARE(ended.errors.count("%WER"), 1);
    const QString alignments = QString::fromUtf8(bytesOf(path("cer.txt")));
    QVERIFY2(alignments.simplified().contains(aligned), qPrintable(alignments));
    QVERIFY(!QFile::exists(path("cer-characters.txt")));
}

/// The lines of `earwright train`, whose last is a table with the interval of what counts.
void TstTranscribeScores::trainingOfSuchSentences_tellsNoWer()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    for (size_t row = 1; row < rows.size(); ++row)
        rows[row][4] = row % 2 == 0 ? "今天 天气" : "去 北京";
    writeSet(path("hanzi"), rows);
    const Ended ended
        = runEarwright({ "train", m_data.recipe, "--data_folder=" + path("hanzi"), "--devices",
            "cpu", "--run-dir", path("hanzi-run"), "--number_of_epochs=1", "--channels=32" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(!ended.errors.contains("valid WER"), qPrintable(ended.errors));
    const QRegularExpression row("\\ntest +1 +[0-9.]+ +- +([0-9.]+) +([0-9.]+) to ([0-9.]+)");
    const QRegularExpressionMatch match = row.match(ended.output);
    QVERIFY2(match.hasMatch(), qPrintable(ended.output));
    QVERIFY(match.captured(2).toDouble() <= match.captured(1).toDouble());
    QVERIFY(match.captured(3).toDouble() >= match.captured(1).toDouble());
    const QStringList asked { "runs", "--runs-dir", path(".") };
    const QString list = runEarwright(asked).output;
    QVERIFY2(list.contains(QRegularExpression("\nhanzi-run .* - +[0-9.]+\n")), qPrintable(list));
    const QString listed = runEarwright(asked + QStringList { "--format", "json" }).output;
    QVERIFY2(listed.contains("\"test_rate\": \"CER\""), qPrintable(listed));
}

/// Of silence nothing may be written down: what a model writes there is an insertion.
void TstTranscribeScores::emptyTranscripts_areScoredBesideOthers()
{
    std::vector<QStringList> rows = readRows(path("set/test.csv"));
    rows[1][4] = "";
    writeRows(path("silence.csv"), rows);
    const auto ended = [&](const QString& csv) {
        return runEarwright({ "transcribe", m_run, path(csv), "--data-folder", path("set"),
            "--device", "cpu", "--alignments", path("silence.txt") });
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

void TstTranscribeScores::worst_areToldWhereAsked()
{
    const QStringList asked { "transcribe", m_run, path("set/test.csv"), "--device", "cpu" };
    const Ended ended = runEarwright(asked + QStringList { "--print-top-wer", "2" });
    QCOMPARE(ended.code, 0);
    QVERIFY2(ended.errors.contains("UTTERANCES WITH HIGHEST WER\n"), qPrintable(ended.errors));
    const QString speaker = readRows(path("set/test.csv")).at(1)[3];
    QVERIFY2(ended.errors.contains("SPEAKERS WITH HIGHEST WER\n" + speaker + " %WER "),
        qPrintable(ended.errors));
    QVERIFY(!runEarwright(asked).errors.contains("HIGHEST"));
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const Ended unknown
        = runEarwright({ "transcribe", m_run, wav, "--device", "cpu", "--print-top-wer", "2" });
    QCOMPARE(unknown.code, 1);
    QVERIFY2(
        unknown.errors.contains("needs a manifest with transcripts"), qPrintable(unknown.errors));
}

/// The phrases that are counted need not be those that are listened for.
void TstTranscribeScores::hotwords_areCountedAside()
{
    const std::vector<QStringList> rows = readRows(path("set/test.csv"));
    write("spoken.txt", rows[1][4].split(' ').first().toUtf8() + "\n");
    write("unspoken.txt", "XYLOPHONE\n");
    write("silent.txt", "\n");
    const auto errors = [&](const QStringList& more) {
        return runEarwright(
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

EARWRIGHT_TEST(TstTranscribeScores)
#include "tst_transcribe_scores.moc"
