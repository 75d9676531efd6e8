#include "tests/engine/refusals.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <sys/stat.h>

using namespace earwright::tests;

/// `earwright lm`.
class TstLm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trainsOnManifestsAndTexts();
    void trainsOnLists_data();
    void trainsOnLists();
    void textsWithoutIds_keepTheirFirstWords_data();
    void textsWithoutIds_keepTheirFirstWords();
    void noIds_keepsWhatLooksLikeThem();
    void packedTexts_areRead();
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
    const Ended ended = runEarwright({ "lm", path("train.csv"), path("more.txt"), "--out",
        path("digits.arpa"), "--order", "3" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(ended.output.contains("order 3, 4 sentences"));
    const QByteArray arpa = bytesOf(path("digits.arpa"));
    QVERIFY(arpa.startsWith("\\data\\"));
    QVERIFY(arpa.contains("ONE TWO THREE"));
    QVERIFY(arpa.endsWith("\\end\\\n"));
    QVERIFY(QDir(m_folder.path())
                .entryList({ ".earwright-lm-*" }, QDir::Dirs | QDir::Hidden)
                .isEmpty());
    write("hanzi.txt", "今天天气\n今天\n");
    QCOMPARE(runEarwright({ "lm", path("hanzi.txt"), "--characters", "--order", "2", "--out",
                              path("hanzi.arpa") })
                 .code,
        0);
    QVERIFY(bytesOf(path("hanzi.arpa")).contains("今 天"));
    const Ended guessed
        = runEarwright({ "lm", path("hanzi.txt"), "--order", "2", "--out", path("guessed.arpa") });
    QVERIFY2(guessed.errors.contains("each character is a word"), qPrintable(guessed.errors));
    QCOMPARE(bytesOf(path("guessed.arpa")), bytesOf(path("hanzi.arpa")));
    write("thai.txt", "กินข้าว\nน้ำ\n");
    const Ended thai
        = runEarwright({ "lm", path("thai.txt"), "--order", "2", "--out", path("thai.arpa") });
    QVERIFY2(thai.errors.contains("each character is a word"), qPrintable(thai.errors));
    for (const char* letter : { "กิ", "ข้", "น้ำ", "ว" })
        QVERIFY2(bytesOf(path("thai.arpa")).contains("\t" + QByteArray(letter) + "\t"), letter);
    write("blanks.txt", "ONE\u00a0TWO\u3000\u3000THREE\n");
    QCOMPARE(
        runEarwright({ "lm", path("blanks.txt"), "--order", "2", "--out", path("blanks.arpa") })
            .code,
        0);
    QVERIFY(bytesOf(path("blanks.arpa")).contains("\tTWO THREE"));
    write("segmented.txt", "今天 天气\n今天\n");
    const Ended words = runEarwright(
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
    const auto table = [](const char* first, const char* second) {
        return first + QByteArray(" ONE TWO\n") + second + " TWO ONE\n";
    };
    for (const auto& [one, other] : std::vector<std::pair<const char*, const char*>> {
             { "BAC009S0002W0122", "BAC009S0002W0123" }, { "1089-134686-0000", "121-1-0000" },
             { "spk1_utt3", "spk1_utt4" }, { "ann_yes", "bob_no" }, { "0001", "0002" } })
        QTest::newRow(one) << "ids.txt" << table(one, other) << "is an ID";
    QTest::newRow("Kaldi with an empty text") << "gaps.txt" << table("s1-01", "s1-02") + "s1-03\n"
                                              << "is an ID";
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
        return runEarwright({ "lm", path(source), "--order", "2", "--out", path(out) });
    };
    QCOMPARE(trained("plain.txt", "plain.arpa").code, 0);
    const Ended ended = trained(name, "list.arpa");
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QCOMPARE(bytesOf(path("list.arpa")), bytesOf(path("plain.arpa")));
}

void TstLm::textsWithoutIds_keepTheirFirstWords_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* file, const char* text) {
        QTest::newRow(name) << QString(file) << QByteArray(text);
    };
    row("Mandarin named text", "text", "我们是人\n中国人民\n上海商行\n");
    row("Mandarin words named text", "text", "上海 商行\n中国 人民\n我们 是 人\n");
    row("Mandarin with digits", "years.txt", "2019年我们 是人\n2020年中国 人民\n");
    row("Mandarin with digits alone", "lines.txt", "2019年我们是人\n2020年中国人民\n");
    row("numbers", "animals.txt", "4 people came\n5 dogs ran\n7 cats sat\n");
    row("numbers named text", "text", "4 people came\n5 dogs ran\n7 cats sat\n");
    row("lengths", "long.txt", "1000 people came\n20000 dogs ran\n");
    row("signs", "signs.txt", "2.5 people came\n12:30 dogs ran\n-7 degrees sat\n");
    row("words alone", "words.txt", "s1\ns2\ns3\n");
    row("mostly alone", "mostly.txt", "s1\ns2\ns3 and more\n");
    row("hyphens", "hyphens.txt", "well-known people came\nall-round dogs ran\n");
    row("twice", "twice.txt", "s1 people came\ns1 dogs ran\n");
    row("out of order named text", "text", "we came\nall dogs ran\n");
}

/// The n-gram has all of each line's words, between their weights.
void TstLm::textsWithoutIds_keepTheirFirstWords()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    write(name, text);
    const Ended ended
        = runEarwright({ "lm", path(name), "--words", "--order", "2", "--out", path("kept.arpa") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(!ended.errors.contains("is an ID"), qPrintable(ended.errors));
    const QByteArray arpa = bytesOf(path("kept.arpa"));
    for (const QByteArray& line : text.split('\n')) {
        for (const QByteArray& word : line.split(' '))
            QVERIFY2(word.isEmpty() || arpa.contains("\t" + word + "\t"), word.constData());
    }
}

void TstLm::noIds_keepsWhatLooksLikeThem()
{
    write("kept.txt", "3D people came\n5G dogs ran\n");
    const auto trained = [&](const QStringList& more) {
        return runEarwright(
            QStringList { "lm", path("kept.txt"), "--order", "2", "--out", path("ids.arpa") }
            + more);
    };
    QVERIFY(trained({}).errors.contains("--no-ids"));
    QVERIFY(!bytesOf(path("ids.arpa")).contains("5G"));
    const Ended ended = trained({ "--no-ids" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(!ended.errors.contains("is an ID"));
    QVERIFY(bytesOf(path("ids.arpa")).contains("5G"));
    QVERIFY(runEarwright({ "lm", "--help" }).output.contains("--no-ids"));
}

void TstLm::packedTexts_areRead()
{
    write("packed.txt", "ONE TWO\nTWO ONE\n");
    const auto trained = [&](const QString& source, const QString& out) {
        return runEarwright({ "lm", path(source), "--order", "2", "--out", path(out) });
    };
    QCOMPARE(trained("packed.txt", "unpacked.arpa").code, 0);
    QCOMPARE(QProcess::execute("gzip", { path("packed.txt") }), 0);
    const Ended ended = trained("packed.txt.gz", "packed.arpa");
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(bytesOf(path("packed.arpa")), bytesOf(path("unpacked.arpa")));
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
    process.start(
        earwrightProgram(), { "lm", path("long.txt"), "--out", folder.filePath("long.arpa") });
    QVERIFY(QTest::qWaitFor([&] { return !left().isEmpty(); }, 60000));
    process.terminate();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardError().contains("nothing was written"));
    QCOMPARE(left(), QStringList());
}

void TstLm::whatCannotBeDone_isSaid_data()
{
    addRefusalColumns();
    write("letters.txt", "æ\n");
    write("marker.txt", "ONE TWO\nONE </s>\n");
    write("empty.txt", "\n  \n");
    write("gbk.txt", "ONE\n\xd6\xd0\xb9\xfa\n");
    write("broken.list", "{\"key\": \"a\", \"txt\": \"ONE\"}\n{\"key\": \"b\"}\n");
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
    QCOMPARE(::mkfifo(qPrintable(path("pipe")), 0600), 0);
    row("pipe", { "lm", path("marker.txt"), "--out", path("pipe") }, 2, "a pipe or a device");
    row("pruned to nothing", { "lm", path("letters.txt"), "--out", path("x"), "--prune", "5 5 5" },
        3, "--prune \"5 5 5\" leaves no model");
    row("prune", { "lm", path("letters.txt"), "--out", path("x"), "--prune", "1 0" }, 2,
        "none less than the one before");
}

void TstLm::whatCannotBeDone_isSaid()
{
    verifyRefusal();
    QVERIFY(!QFile::exists(path("x")));
}

EARWRIGHT_TEST(TstLm)
#include "tst_lm.moc"
