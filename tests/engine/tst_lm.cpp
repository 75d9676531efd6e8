#include "tests/engine/program.h"
#include "tests/files.h"

#include <QTemporaryDir>

using namespace kymo::tests;

/// `kymo lm`.
class TstLm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trainsOnManifestsAndTexts();
    void trainsOnLists_data();
    void trainsOnLists();
    void stoppedTraining_leavesNothing();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { writeFile(path(name), text); }

    QTemporaryDir m_folder;
};

void TstLm::trainsOnManifestsAndTexts()
{
    write("train.csv",
        "ID,duration,wav,wrd\na,1,a.wav,ONE TWO THREE\nb,1,b.wav,TWO THREE\nc,1,c.wav,\n");
    write("more.txt", "ONE TWO THREE\n\n  ONE   TWO\n");
    const Ended ended = runKymo({ "lm", path("train.csv"), path("more.txt"), "--out",
        path("digits.arpa"), "--order", "3" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(ended.output.contains("order 3, 4 sentences"));
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
    const Ended guessed
        = runKymo({ "lm", path("hanzi.txt"), "--order", "2", "--out", path("guessed.arpa") });
    QVERIFY2(guessed.errors.contains("each character is a word"), qPrintable(guessed.errors));
    QCOMPARE(bytesOf(path("guessed.arpa")), bytesOf(path("hanzi.arpa")));
    write("segmented.txt", "今天 天气\n今天\n");
    const Ended words = runKymo(
        { "lm", path("segmented.txt"), "--words", "--order", "2", "--out", path("words.arpa") });
    QVERIFY2(words.code == 0, qPrintable(words.errors));
    QVERIFY(bytesOf(path("words.arpa")).contains("今天 天气"));
}

void TstLm::trainsOnLists_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("Kaldi") << "text" << QByteArray("a ONE TWO\nb TWO ONE\n") << "is an ID";
    QTest::newRow("Kaldi by its IDs")
        << "dev.txt" << QByteArray("s1-01 ONE TWO\ns1-02 TWO ONE\n") << "is an ID";
    QTest::newRow("WeNet") << "data.list"
                           << QByteArray(R"({"key": "a", "wav": "a.wav", "txt": "ONE TWO"})"
                                         "\n"
                                         R"({"key": "b", "wav": "b.wav", "txt": "TWO ONE"})"
                                         "\n")
                           << "list of utterances";
    QTest::newRow("FunASR") << "train.jsonl"
                            << QByteArray(R"({"key": "a", "source": "a.wav", "target": "ONE TWO"})"
                                          "\n"
                                          R"({"key": "b", "source": "b.wav", "target": "TWO ONE"})"
                                          "\n")
                            << "list of utterances";
}

/// The same n-gram as of the plain texts.
void TstLm::trainsOnLists()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    write("plain.txt", "ONE TWO\nTWO ONE\n");
    write(name, text);
    const auto trained = [&](const QString& source, const QString& out) {
        return runKymo({ "lm", path(source), "--order", "2", "--out", path(out) });
    };
    QCOMPARE(trained("plain.txt", "plain.arpa").code, 0);
    const Ended ended = trained(name, "list.arpa");
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QCOMPARE(bytesOf(path("list.arpa")), bytesOf(path("plain.arpa")));
}

void TstLm::stoppedTraining_leavesNothing()
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

void TstLm::whatCannotBeDone_isSaid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    write("letters.txt", "æ\n");
    write("marker.txt", "ONE TWO\nONE </s>\n");
    write("empty.txt", "\n  \n");
    write("gbk.txt", "ONE\n\xd6\xd0\xb9\xfa\n");
    write("broken.list", "{\"key\": \"a\", \"txt\": \"ONE\"}\n{\"key\": \"b\"}\n");
    const auto row = [](const char* name, const QStringList& words, int code, const char* said) {
        QTest::newRow(name) << words << code << QString(said);
    };
    row("no out", { "lm", path("marker.txt") }, 2, "--out FILE");
    row("order", { "lm", path("marker.txt"), "--out", path("x"), "--order", "9" }, 2, "2 to 6");
    row("words", { "lm", path("letters.txt"), "--out", path("x"), "--order", "1" }, 2, "2 to 6");
    row("marker", { "lm", path("marker.txt"), "--out", path("x") }, 1,
        "sentence 2: '</s>' is no word");
    row("nothing", { "lm", path("empty.txt"), "--out", path("x") }, 1, "no sentence");
    row("no text", { "lm", path("none.txt"), "--out", path("x") }, 1, "none.txt");
    row("no folder", { "lm", path("letters.txt"), "--out", path("none/x") }, 3, "none/x");
    row("GBK", { "lm", path("gbk.txt"), "--out", path("x") }, 1, "line 2: not UTF-8");
    row("list", { "lm", path("broken.list"), "--out", path("x") }, 1, "line 2: no JSON object");
    row("itself", { "lm", path("letters.txt"), "--out", path("letters.txt") }, 2,
        "which is to be read");
    row("both", { "lm", path("letters.txt"), "--out", path("x"), "--words", "--characters" }, 2,
        "exclude each other");
    row("prune", { "lm", path("letters.txt"), "--out", path("x"), "--prune", "1 0" }, 2,
        "none less than the one before");
}

void TstLm::whatCannotBeDone_isSaid()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Ended ended = runKymo(words);
    QCOMPARE(ended.code, code);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QVERIFY(!QFile::exists(path("x")));
}

QTEST_GUILESS_MAIN(TstLm)
#include "tst_lm.moc"
