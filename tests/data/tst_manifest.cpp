#include "core/base/file.h"
#include "core/data/csv.h"
#include "core/data/manifest.h"
#include "core/data/packed_utterances.h"
#include "core/recipe/parse.h"
#include "tests/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using data::Utterance;

namespace {

const std::filesystem::path kManifestCases = EARWRIGHT_CASES_DIR "/data/manifests";

/// "|BEGIN-END s" or "samples", "|BEGIN+DURATION s", with its channel; "" of a whole file.
QString placeOf(const data::SoundPart& part)
{
    if (part.isWhole())
        return {};
    const QString unit = part.countsSamples ? QStringLiteral(" samples") : QStringLiteral(" s");
    const QString end = part.end > 0 ? QStringLiteral("-%1").arg(part.end)
                                     : QStringLiteral("+%1").arg(part.seconds);
    const QString channel
        = part.channel < 0 ? QString() : QStringLiteral(" of channel %1").arg(part.channel);
    return QStringLiteral("|%1").arg(part.begin) + end + unit + channel;
}

/// id|wav|duration|speaker|text|line, or the error with the folder taken out.
QString describe(const Result<std::vector<Utterance>>& utterances)
{
    if (!utterances)
        return QString::fromStdString("error: " + utterances.error().message + "\n")
            .replace(QString::fromStdString(kManifestCases.string()), QStringLiteral("FOLDER"));
    QString text;
    for (const Utterance& u : *utterances)
        text += QStringLiteral("%1|%2|%3|%4|%5|%6%7\n")
                    .arg(QString::fromStdString(u.id), QString::fromStdString(u.wav))
                    .arg(u.durationSeconds)
                    .arg(QString::fromStdString(u.speaker), QString::fromStdString(u.text))
                    .arg(u.line)
                    .arg(placeOf(u.part));
    return text;
}

void write(const QString& path, const QByteArray& text)
{
    QVERIFY(writeFileAtomically(path.toStdString(), text.toStdString()));
}

/// Two lines each of a CSV, one each of a JSON text.
QByteArray manyRows(bool isCsv, int count)
{
    QByteArray text = isCsv ? "ID,duration,wav,spk_id,wrd\n" : "{";
    for (int i = 0; i < count; ++i) {
        const QByteArray number = QByteArray::number(i);
        const QByteArray seconds = QByteArray::number(i * 0.5);
        if (isCsv)
            text += "u" + number + "," + seconds + ",/" + number + ".wav,s,\"a,\n\"\"b\"\"\"\n";
        else
            text += "\"u" + number + "\": {\"wav\": \"/" + number + ".wav\", \"length\": " + seconds
                + ", \"spk_id\": \"s\", \"words\": \"a,\\n\\\"b\\\"\"}"
                + (i + 1 < count ? ",\n" : "}");
    }
    return text;
}

} // namespace

class TstManifest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void caseFile_readsAsExpected_data()
    {
        QTest::addColumn<QString>("name");
        const QDir folder(QString::fromStdString(kManifestCases.string()));
        const QStringList names = folder.entryList({ "*.csv", "*.json", "*.jsonl" });
        QVERIFY(names.size() >= 15);
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << name;
    }

    void caseFile_readsAsExpected()
    {
        QFETCH(QString, name);
        const std::filesystem::path path = kManifestCases / name.toStdString();
        const Result<std::string> expected = readFile(path.string() + ".expected");
        QVERIFY(expected);
        QCOMPARE(describe(data::readManifest(path, "/data")), QString::fromStdString(*expected));
    }

    /// Of recipes on phones, Voicebank's, and GigaSpeech's with files of the Hub.
    void otherColumns_areReadWhereTheRecipeSaysSo()
    {
        QTemporaryDir dir;
        const QString json = dir.path() + "/phones.json";
        write(json,
            "{\"u1\": {\"clean_wav\": \"{data_root}/c.wav\", \"noisy_wav\": \"n.wav\", "
            "\"length\": 1, \"words\": \"HI\", \"phones\": \"HH AY\"}}");
        const auto columnsOf = [](const std::string& text) {
            return settings::manifestColumns(*recipe::parse(text, "recipe.yaml").root);
        };
        const settings::ManifestColumns phones = columnsOf("per_stats: 1\ninput_type: noisy_wav\n");
        QCOMPARE(describe(data::readManifest(json.toStdString(), "/data", phones)),
            QStringLiteral("u1|n.wav|1||HH AY|1\n"));
        const settings::ManifestColumns words = columnsOf("input_type: clean_wav\n");
        QCOMPARE(describe(data::readManifest(json.toStdString(), "/data", words)),
            QStringLiteral("u1|/data/c.wav|1||HI|1\n"));
        const settings::ManifestColumns whole = columnsOf("download_with_HF: True\n");
        QCOMPARE(describe(data::readManifest(kManifestCases / "gigaspeech.csv", "", whole)),
            QStringLiteral("g1|a.opus|2.5||AS THEY|2\ng2|a.opus|1.75||SO|3\n"));
    }

    void part_isPackedWithItsRow()
    {
        data::PackedUtterances packed;
        Utterance utterance;
        packed.add(utterance);
        utterance.part = { .begin = 1, .end = 2 };
        packed.add(utterance);
        utterance.part = {};
        packed.add(utterance);
        QVERIFY(packed.at(0).part.isWhole());
        QVERIFY((packed.at(1).part == data::SoundPart { .begin = 1, .end = 2 }));
        QVERIFY(packed.at(2).part.isWhole());
    }

    void rowsOfAnyFolderAndLength_areUnpackedAsTheyWere()
    {
        const std::vector<Utterance> rows { { .id = "a", .wav = "/x/y/a.wav", .text = "one" },
            { .id = "b", .wav = "b.wav", .speaker = "s", .text = std::string(3'000'000, 't') },
            { .id = "c", .wav = "/x/y/c.wav", .text = "", .line = 7, .labels = "l\nm" },
            { .id = "d", .wav = "/x/", .durationSeconds = 1.5, .text = "four" },
            { .id = "e", .wav = "", .text = "five" } };
        data::PackedUtterances packed;
        for (const Utterance& row : rows)
            packed.add(row);
        const data::PackedUtterances copy = packed;
        const data::PackedUtterances moved = std::move(packed);
        for (const data::PackedUtterances* one : { &copy, &moved }) {
            QCOMPARE(one->size(), rows.size());
            for (size_t i = 0; i < rows.size(); ++i) {
                const Utterance row = one->at(i);
                QCOMPARE(row.id, rows[i].id);
                QCOMPARE(row.wav, rows[i].wav);
                QCOMPARE(row.speaker, rows[i].speaker);
                QVERIFY(row.text == rows[i].text && one->textAt(i) == rows[i].text);
                QCOMPARE(row.labels, rows[i].labels);
                QCOMPARE(row.line, rows[i].line);
                QCOMPARE(row.durationSeconds, rows[i].durationSeconds);
            }
        }
    }

    void placeholderWithoutDataRoot_isAnErrorWithItsLine()
    {
        const auto utterances = data::readManifest(kManifestCases / "plain.csv", "");
        QVERIFY(!utterances);
        QVERIFY(QString::fromStdString(utterances.error().message)
                    .contains("plain.csv', line 2: the path of 'u1' needs data_root"));
    }

    void missingFile_isNamed()
    {
        const auto utterances = data::readManifest("/nowhere/训练 集.csv", "");
        QVERIFY(!utterances);
        QVERIFY(
            QString::fromStdString(utterances.error().message).contains("/nowhere/训练 集.csv"));
    }

    void chineseFolderWithSpaces_isRead()
    {
        QTemporaryDir dir;
        const QString folder = dir.path() + "/语音 数据";
        QVERIFY(QDir().mkpath(folder));
        write(folder + "/训练.csv", "ID,duration,wav,wrd\nu1,1,$data_root/a.wav,你好\n");
        const auto utterances
            = data::readManifest((folder + "/训练.csv").toStdString(), folder.toStdString());
        QVERIFY2(utterances, utterances ? "" : utterances.error().message.c_str());
        QCOMPARE(utterances->front().wav, (folder + "/a.wav").toStdString());
    }

    /// A comma takes a byte, a field forty.
    void wideRow_isRefused()
    {
        const auto rows = data::parseCsv(std::string(20'000, ','));
        QVERIFY(!rows);
        QCOMPARE(rows.error().message,
            std::string("line 1: more than 10000 fields; is this a manifest?"));
    }

    void deepMember_isRefused()
    {
        QTemporaryDir dir;
        const QString path = dir.path() + "/deep.json";
        const QByteArray deep
            = QByteArray("[").repeated(100'000) + QByteArray("]").repeated(100'000);
        write(path, "{\"u1\": {\n\"wav\": " + deep + "}}");
        const auto read = data::readManifest(path.toStdString(), "");
        QVERIFY(!read);
        QVERIFY2(read.error().message.ends_with(
                     "line 2: more than 64 lists and objects inside each other"),
            read.error().message.c_str());
    }

    void manyRows_areReadInOrder_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("csv") << "many.csv";
        QTest::newRow("json") << "many.json";
    }

    /// More than are in memory at a time.
    void manyRows_areReadInOrder()
    {
        QFETCH(QString, name);
        constexpr int kRows = 50'000;
        QTemporaryDir dir;
        const QString path = dir.path() + "/" + name;
        write(path, manyRows(name.endsWith("csv"), kRows));
        data::PackedUtterances packed;
        QVERIFY(data::eachUtterance(
            path.toStdString(), "", [&](const Utterance& utterance) { packed.add(utterance); }));
        const auto whole = data::readManifest(path.toStdString(), "");
        QVERIFY(whole);
        QCOMPARE(packed.size(), size_t(kRows));
        std::vector<Utterance> unpacked;
        for (size_t i = 0; i < packed.size(); ++i)
            unpacked.push_back(packed.at(i));
        QCOMPARE(describe(unpacked), describe(whole));
        QVERIFY(describe(unpacked).endsWith(QStringLiteral("u%1|/%1.wav|%2|s|a,\n\"b\"|%3\n")
                                                .arg(kRows - 1)
                                                .arg((kRows - 1) * 0.5)
                                                .arg(name.endsWith("csv") ? 2 * kRows : kRows)));
    }

    void idThatIsThereTwice_isFoundAmongMany()
    {
        QTemporaryDir dir;
        const QString path = dir.path() + "/twice.csv";
        write(path, manyRows(true, 1000) + "u7,1,/a.wav,s,a\n");
        const auto read = data::readManifest(path.toStdString(), "");
        QVERIFY(!read);
        QVERIFY2(read.error().message.ends_with("line 2002: the ID 'u7' is already on line 16"),
            read.error().message.c_str());
    }

    void writtenRows_readBackTheSame()
    {
        const std::vector<std::string> fields { "a", "", "b,c", "d\"e\"", " f", "g\nh", "你" };
        const auto rows
            = data::parseCsv(data::formatCsvRow(fields) + data::formatCsvRow({ "", "x" }));
        QVERIFY(rows);
        QCOMPARE(rows->size(), size_t(2));
        QVERIFY(rows->front().fields == fields);
        QCOMPARE(rows->back().line, 3);
    }
};

EARWRIGHT_TEST(TstManifest)
#include "tst_manifest.moc"
