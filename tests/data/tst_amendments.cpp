#include "core/data/amendments.h"
#include "core/data/manifest.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>
#include <thread>

using namespace earwright;
using namespace earwright::data;

namespace {

const QByteArray kCsv = "ID,duration,wav,spk_id,wrd\n"
                        "u1,1.0,a.wav,anna,OPEN THE MENU\n"
                        "u2,2.0,b.wav,ben,\"STOP, NOW\"\n"
                        "u3,1.5,c.wav,ben,GO ON\n";

QByteArray amendedCase(const char* name)
{
    return bytesOf(QStringLiteral(EARWRIGHT_CASES_DIR "/data/amendments/") + QLatin1String(name));
}

} // namespace

class TstAmendments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void corrections_lieBesideTheManifest()
    {
        const auto manifest = write("train.csv", kCsv);
        QVERIFY(readAmendments(manifest).value() == Amendments {});
        QVERIFY(correctTranscript(manifest, "u2", "STOP \"IT\", NOW"));
        const auto noted = correctTranscript(manifest, "u1", "OPEN A MENU");
        QVERIFY2(noted, noted ? "" : noted.error().message.c_str());
        const std::vector<Correction> both { { "u2", "STOP, NOW", "STOP \"IT\", NOW" },
            { "u1", "OPEN THE MENU", "OPEN A MENU" } };
        QVERIFY(noted->corrections == both);
        QVERIFY(readAmendments(manifest).value() == *noted);
        QCOMPARE(bytesOf(path("train.csv.corrections.csv")),
            QByteArray("ID,old,new\nu2,\"STOP, NOW\",\"STOP \"\"IT\"\", NOW\"\n"
                       "u1,OPEN THE MENU,OPEN A MENU\n"));
        QCOMPARE(bytesOf(path("train.csv")), kCsv);
    }

    void correctionOfACorrection_takesItsPlace()
    {
        const auto manifest = write("train.csv", kCsv);
        QVERIFY(correctTranscript(manifest, "u3", "GO OFF"));
        const std::vector<Correction> second { { "u3", "GO ON", "GO" } };
        QVERIFY(correctTranscript(manifest, "u3", "GO").value().corrections == second);
        QVERIFY(correctTranscript(manifest, "u3", "GO ON").value().corrections.empty());
        QVERIFY(!QFile::exists(path("train.csv.corrections.csv")));
    }

    void quarantine_isAListOfIds()
    {
        const auto manifest = write("train.csv", kCsv);
        QVERIFY(setQuarantined(manifest, { "u3", "u1" }, true));
        QVERIFY(setQuarantined(manifest, { "u1", "u2" }, true));
        QCOMPARE(bytesOf(path("train.csv.quarantine.txt")), QByteArray("u3\nu1\nu2\n"));
        const auto noted = setQuarantined(manifest, { "u1", "u3" }, false);
        QVERIFY(noted.value().quarantined == std::vector<std::string> { "u2" });
        QVERIFY(setQuarantined(manifest, { "u2" }, false));
        QVERIFY(!QFile::exists(path("train.csv.quarantine.txt")));
        QVERIFY(!setQuarantined(manifest, { "u\n1" }, true));
    }

    void newManifest_hasWhatIsNoted_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("csv") << "train.csv" << kCsv
                             << QByteArray("ID,duration,wav,spk_id,wrd\n"
                                           "u1,1.0,a.wav,anna,\"OPEN, A MENU\"\n"
                                           "u3,1.5,c.wav,ben,GO ON\n");
        QTest::newRow("json") << "train.json" << amendedCase("plain.json")
                              << amendedCase("plain.amended.json");
        QTest::newRow("json, indented")
            << "train.json" << amendedCase("indented.json") << amendedCase("indented.amended.json");
        QTest::newRow("lines")
            << "train.jsonl"
            << QByteArray(
                   "{\"key\": \"u1\", \"source\": \"a.wav\", \"source_len\": 100, \"target\": "
                   "\"OPEN THE MENU\", \"target_len\": 3}\n\n"
                   "{\"key\": \"u2\", \"source\": \"b.wav\", \"source_len\": 100, \"target\": "
                   "\"STOP\"}\n"
                   "{\"key\": \"u3\", \"source\": \"c.wav\", \"source_len\": 100, \"target\": "
                   "\"GO ON\"}\n")
            << QByteArray(
                   "{\"key\": \"u1\", \"source\": \"a.wav\", \"source_len\": 100, \"target\": "
                   "\"OPEN, A MENU\", \"target_len\": 3}\n"
                   "{\"key\": \"u3\", \"source\": \"c.wav\", \"source_len\": 100, \"target\": "
                   "\"GO ON\"}\n");
    }

    void newManifest_hasWhatIsNoted()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, before);
        const auto manifest = write(name, before);
        const auto corrected = correctTranscript(manifest, "u1", "OPEN, A MENU");
        QVERIFY2(corrected, corrected ? "" : corrected.error().message.c_str());
        QVERIFY(setQuarantined(manifest, { "u2" }, true));
        const QString out = path("new-" + name);
        const auto written = writeAmendedManifest(manifest, out.toStdString());
        QVERIFY2(written, written ? "" : written.error().message.c_str());
        QCOMPARE(written->rows, 2);
        QCOMPARE(written->corrected, 1);
        QCOMPARE(written->leftOut, 1);
        QTEST(bytesOf(out), "after");
        QCOMPARE(bytesOf(path(name)), before);
        const auto read = readManifest(out.toStdString(), "");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->front().text, std::string("OPEN, A MENU"));
    }

    void whatDoesNotFit_isRefusedByName_data()
    {
        QTest::addColumn<QByteArray>("corrections");
        QTest::addColumn<QByteArray>("quarantine");
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("said");
        const QByteArray head = "ID,old,new\n";
        QTest::newRow("another text")
            << head + "u1,OPEN MENU,OPEN A MENU\nu3,GO ON,GO\n"
            << QByteArray() << "new.csv"
            << "than the manifest has in 'wrd': name the column that was corrected, "
               "correct anew, or remove the lines of 'u1'";
        QTest::newRow("unknown")
            << head + "u9,A,B\n"
            << QByteArray("u8\n") << "new.csv"
            << "has no such utterance: remove from the files beside it 'u9', 'u8'";
        QTest::newRow("no corrections")
            << QByteArray("ID,text\nu1,A\n") << QByteArray() << "new.csv"
            << "line 1: is no correction: write ID,old,new";
        QTest::newRow("twice") << head + "u1,OPEN THE MENU,A\nu3,GO ON,GO\nu1,OPEN THE MENU,B\n"
                               << QByteArray() << "new.csv"
                               << "line 4: is the second correction of 'u1': leave one of them";
        QTest::newRow("no UTF-8") << head + "u1,OPEN THE MENU,CAF\xe9\n"
                                  << QByteArray() << "new.csv"
                                  << "line 2: is no UTF-8: write the file as UTF-8";
        QTest::newRow("itself") << head << QByteArray("u1\n") << "train.csv"
                                << "is there already";
        QTest::newRow("ending") << head << QByteArray("u1\n") << "new.json"
                                << "must end in '.csv', as the manifest does";
    }

    void whatDoesNotFit_isRefusedByName()
    {
        QFETCH(QByteArray, corrections);
        QFETCH(QByteArray, quarantine);
        QFETCH(QString, out);
        QFETCH(QString, said);
        const auto manifest = write("train.csv", kCsv);
        write("train.csv.corrections.csv", corrections);
        write("train.csv.quarantine.txt", quarantine);
        const auto written = writeAmendedManifest(manifest, path(out).toStdString());
        QVERIFY(!written);
        QVERIFY2(QString::fromStdString(written.error().message).contains(said),
            written.error().message.c_str());
        QVERIFY(!QFile::exists(path("new.csv")));
        QCOMPARE(bytesOf(path("train.csv")), kCsv);
    }

    void textThatIsNoUtf8_isNotNoted()
    {
        const auto manifest = write("train.csv", kCsv);
        const auto noted = correctTranscript(manifest, "u1", "CAF\xe9");
        QVERIFY(!noted);
        QVERIFY2(noted.error().message.find("is no UTF-8") != std::string::npos,
            noted.error().message.c_str());
        QVERIFY(!QFile::exists(path("train.csv.corrections.csv")));
    }

    void writersAtOnce_loseNothing()
    {
        constexpr size_t kWriters = 8;
        QByteArray rows = "ID,duration,wav,wrd\n";
        for (size_t i = 0; i < kWriters; ++i)
            rows += "u" + QByteArray::number(i) + ",1,a.wav,OLD\n";
        const auto manifest = write("train.csv", rows);
        std::vector<std::thread> writers;
        for (size_t i = 0; i < kWriters; ++i)
            writers.emplace_back([&manifest, id = "u" + std::to_string(i)] {
                (void)correctTranscript(manifest, id, "NEW");
                (void)setQuarantined(manifest, { id }, true);
            });
        for (std::thread& writer : writers)
            writer.join();
        const auto noted = readAmendments(manifest);
        QVERIFY2(noted, noted ? "" : noted.error().message.c_str());
        QCOMPARE(noted->corrections.size(), kWriters);
        QCOMPARE(noted->quarantined.size(), kWriters);
    }

    void unknownId_isNotCorrected()
    {
        const auto manifest = write("train.csv", kCsv);
        const auto noted = correctTranscript(manifest, "u9", "A");
        QVERIFY(!noted);
        QVERIFY2(noted.error().message.ends_with("train.csv' has no utterance 'u9'"),
            noted.error().message.c_str());
        QVERIFY(!QFile::exists(path("train.csv.corrections.csv")));
    }

private:
    QString path(const QString& name) const { return m_dir->filePath(name); }
    std::filesystem::path write(const QString& name, const QByteArray& bytes) const
    {
        writeFile(path(name), bytes);
        return path(name).toStdString();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

EARWRIGHT_TEST(TstAmendments)
#include "tst_amendments.moc"
