#include "core/base/file.h"
#include "core/data/csv.h"
#include "core/data/manifest.h"
#include "tests/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using data::Utterance;

namespace {

const std::filesystem::path kManifestCases = EARWRIGHT_CASES_DIR "/data/manifests";

/// id|wav|duration|speaker|text|line, or the error with the folder taken out.
QString describe(const Result<std::vector<Utterance>>& utterances)
{
    if (!utterances)
        return QString::fromStdString("error: " + utterances.error().message + "\n")
            .replace(QString::fromStdString(kManifestCases.string()), QStringLiteral("FOLDER"));
    QString text;
    for (const Utterance& u : *utterances)
        text += QStringLiteral("%1|%2|%3|%4|%5|%6\n")
                    .arg(QString::fromStdString(u.id), QString::fromStdString(u.wav))
                    .arg(u.durationSeconds)
                    .arg(QString::fromStdString(u.speaker), QString::fromStdString(u.text))
                    .arg(u.line);
    return text;
}

void write(const QString& path, const char* text)
{
    QVERIFY(writeFileAtomically(path.toStdString(), text));
}

} // namespace

class TstManifest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void caseFile_readsAsExpected_data()
    {
        QTest::addColumn<QString>("name");
        const QDir folder(QString::fromStdString(kManifestCases.string()));
        const QStringList names = folder.entryList({ "*.csv", "*.json" });
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
