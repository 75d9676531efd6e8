#include "core/base/file.h"
#include "core/run/utterances.h"
#include "core/score/text_scores.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

const Evaluated kTest { .split = "test", .epoch = 3, .alignmentsFile = "alignments/test.txt" };

Utterance utterance(const std::string& id, const std::string& reference,
    const std::string& hypothesis, score::WordSplit split = score::WordSplit::WhiteSpace)
{
    const score::TextScores scores = score::scoreTexts({ { id, reference, hypothesis } }, split);
    return { .id = id,
        .reference = reference,
        .hypothesis = hypothesis,
        .byWord = score::summarise(scores.byWord),
        .byCharacter = score::summarise(scores.byCharacter) };
}

void write(const std::filesystem::path& file, const std::string& text)
{
    std::filesystem::create_directories(file.parent_path());
    if (!writeFileAtomically(file, text))
        qFatal("cannot write '%s'", file.c_str());
}

/// What is said against a text, "" = nothing.
std::string errorOf(const std::string& text)
{
    const auto read = utterancesFromText(text);
    return read ? "" : read.error().message;
}

/// With the files that training gives them.
Snapshot snapshotOf(const std::vector<Evaluated>& evaluations)
{
    Snapshot snapshot;
    for (Evaluated one : evaluations) {
        const bool isValid = one.split == "valid";
        one.alignmentsFile = "alignments/" + one.split
            + (isValid ? "-epoch-" + std::to_string(one.epoch) : "") + ".txt";
        fold(snapshot, 0, { 1000, one });
    }
    return snapshot;
}

} // namespace

class TstUtterances : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_folder = RunFolder { m_dir->path().toStdString() };
    }

    void rows_areReadBack()
    {
        Utterance full = utterance("u1", "turn the light on", "turn light off");
        full.speaker = "=SUM(A1)";
        full.seconds = 3.25;
        full.sound = "/data/a\tb\\n.flac";
        full.part = { .begin = 1.5, .end = 4.75, .seconds = 0.5, .channel = 1 };
        full.missedHotwords = { "light on", "light on", "'+" };
        Utterance odd = utterance("'- x", "+a\nb\r\\t", "\t");
        odd.part = { .begin = 8000, .end = 16000, .countsSamples = true };
        Utterance bare { .id = "c3" };
        bare.byCharacter = score::ErrorRate {
            .tokens = 4, .insertions = 1, .sentences = 1, .wrongSentences = 1
        };
        const std::vector<Utterance> rows { full, odd, utterance("d4", "", ""), bare };
        const std::string text = utterancesText(rows);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 5);
        QVERIFY(text.find("\t'=SUM(A1)\t") != std::string::npos);
        const auto read = utterancesFromText(text);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == rows);
        QVERIFY(utterancesFromText(utterancesText({})).value().empty());
    }

    /// A later version may have more of them, in any order.
    void columns_areKnownByTheirNames()
    {
        const auto read
            = utterancesFromText("more\thypothesis\treference\twords\tid\nx\ta c\ta b\t2\tu1\n");
        QVERIFY(read);
        QCOMPARE(read->front().id, std::string("u1"));
        QCOMPARE(read->front().hypothesis, std::string("a c"));
        QCOMPARE(read->front().byWord->tokens, 2);
        QCOMPARE(read->front().seconds, -1.0);
        QVERIFY(!read->front().byCharacter);
    }

    void damagedTable_isRefusedWithItsLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("empty") << ""
                               << "is no table of utterances: its first line has no end";
        QTest::newRow("another table")
            << "id\tx\n"
            << "is no table of utterances: its first line names no column 'reference'";
        QTest::newRow("cut off") << "id\treference\thypothesis\nu1\ta\ta\nu2\ta"
                                 << "line 3: has no end: the file was cut off";
        QTest::newRow("a cell less") << "id\treference\thypothesis\nu1\ta\n"
                                     << "line 2: has not as many cells as the first line";
        QTest::newRow("a word for a number")
            << "id\treference\thypothesis\tseconds\nu1\ta\ta\tlong\n"
            << "line 2: column 'seconds' has no such number: 'long'";
    }

    void damagedTable_isRefusedWithItsLine()
    {
        QFETCH(QString, text);
        QTEST(QString::fromStdString(errorOf(text.toStdString())), "error");
    }

    void evaluation_isReadFromItsFile()
    {
        const std::vector<Utterance> rows { utterance("u1", "a b", "a") };
        QCOMPARE(
            utterancesFile(m_folder, kTest), m_folder.path / "alignments" / "test-utterances.tsv");
        write(utterancesFile(m_folder, kTest), utterancesText(rows));
        QVERIFY(readUtterances(m_folder, kTest).value() == rows);
        QCOMPARE(countedEdits(rows.front(), "WER").deletions, 1);
        QCOMPARE(countedEdits(rows.front(), "CER").deletions, 2);
    }

    void rowsWithoutTheRateThatCounts_areRefused()
    {
        Utterance row = utterance("u1", "a b", "a");
        row.byWord.reset();
        write(utterancesFile(m_folder, kTest), utterancesText({ row }));
        const auto read = readUtterances(m_folder, kTest);
        QVERIFY(!read);
        QVERIFY2(read.error().message.ends_with("the utterance 'u1' has no edits for the WER"),
            read.error().message.c_str());
    }

    void olderRun_hasWhatItsAlignmentsTell()
    {
        const auto scores = score::scoreTexts({ { "u1", "turn the light on", "turn light off" },
                                                  { "u2", "", "a" }, { "u3", "a", "" } },
            score::WordSplit::WhiteSpace);
        write(m_folder.path / kTest.alignmentsFile, score::alignmentText(scores.byWord));
        const auto read = readUtterances(m_folder, kTest);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->size(), size_t(3));
        const Utterance& first = read->front();
        QCOMPARE(first.reference, std::string("turn the light on"));
        QCOMPARE(first.hypothesis, std::string("turn light off"));
        QCOMPARE(first.seconds, -1.0);
        QVERIFY(!first.byCharacter);
        score::ErrorRate sum;
        for (const Utterance& row : *read)
            sum.add(countedEdits(row, "WER"));
        QVERIFY(sum == score::summarise(scores.byWord));
    }

    /// Units of a text without words become one that has the same units.
    void olderRunWithoutWords_hasTheSameUnits()
    {
        const std::string text = "打开AB cd看看";
        const auto scores
            = score::scoreTexts({ { "u1", text, "打 AB" } }, score::WordSplit::WhiteSpace);
        QVERIFY(!scores.haveWords);
        Evaluated evaluated = kTest;
        evaluated.rate = "CER";
        write(m_folder.path / kTest.alignmentsFile, score::alignmentText(scores.byCharacter));
        const Utterance row = readUtterances(m_folder, evaluated).value().front();
        QCOMPARE(row.reference, text);
        QCOMPARE(row.hypothesis, std::string("打AB"));
        QVERIFY(!row.byWord);
        QVERIFY(countedEdits(row, "CER") == score::summarise(scores.byCharacter));
    }

    void neitherFile_isAnError()
    {
        const auto read = readUtterances(m_folder, kTest);
        QVERIFY(!read);
        QVERIFY2(read.error().message.find("alignments/test.txt") != std::string::npos,
            read.error().message.c_str());
    }

    void evaluation_isFoundBySplitAndEpoch()
    {
        const Snapshot snapshot = snapshotOf({ { .split = "valid", .epoch = 1, .step = 10 },
            { .split = "valid", .epoch = 2, .step = 20 },
            { .split = "test-clean", .epoch = 2, .step = 20, .wer = 5 },
            { .split = "test-other", .epoch = 2, .step = 20 },
            { .split = "test-clean", .epoch = 2, .step = 20, .wer = 4 } });
        QCOMPARE(findEvaluation(snapshot, "").value().split, std::string("test-clean"));
        QCOMPARE(findEvaluation(snapshot, "").value().wer, 4.0);
        QCOMPARE(findEvaluation(snapshot, "valid").value().epoch, 2);
        QCOMPARE(findEvaluation(snapshot, "valid", 1).value().step, 10);
        QCOMPARE(QString::fromStdString(findEvaluation(snapshot, "valid", 7).error().message),
            QStringLiteral("there is no evaluation 'valid' of epoch 7; there are: test-clean of "
                           "epoch 2, 2; test-other of epoch 2; valid of epoch 1, 2"));
        QCOMPARE(QString::fromStdString(findEvaluation({}, "test").error().message),
            QStringLiteral("there is no evaluation 'test'; the run has recognised no texts yet"));
        QCOMPARE(findEvaluation(snapshotOf({ { .split = "valid", .epoch = 1 } }), "").value().split,
            std::string("valid"));
    }

    void overwrittenTexts_areNotTakenForThoseOfTheEpoch()
    {
        const Snapshot snapshot = snapshotOf({ { .split = "valid", .epoch = 5 },
            { .split = "test", .epoch = 5, .wer = 9 }, { .split = "valid", .epoch = 10 },
            { .split = "test", .epoch = 10, .wer = 8 }, { .split = "test", .epoch = 10 } });
        QCOMPARE(QString::fromStdString(findEvaluation(snapshot, "test", 5).error().message),
            QStringLiteral("the texts of 'test' of epoch 5 are not there: they were overwritten by "
                           "'test' of epoch 10"));
        QCOMPARE(findEvaluation(snapshot, "test", 10).value().wer, 0.0);
        QCOMPARE(findEvaluation(snapshot, "test").value().epoch, 10);
        QCOMPARE(findEvaluation(snapshot, "valid", 5).value().epoch, 5);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    RunFolder m_folder;
};

EARWRIGHT_TEST(TstUtterances)
#include "tst_utterances.moc"
