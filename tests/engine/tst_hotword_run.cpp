#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>

using namespace earwright::tests;
using nlohmann::json;

namespace {

/// As few weights as the shipped recipes' shapes allow.
const QStringList kSmall { "--width=16", "--encoder.num_blocks=1", "--encoder.linear_units=32",
    "--decoder.num_blocks=1", "--decoder.att_layer_num=1", "--decoder.linear_units=32", "--devices",
    "cpu:2" };

std::vector<QStringList> without(std::vector<QStringList> rows, const QString& word)
{
    std::erase_if(
        rows, [&](const QStringList& row) { return row.at(4).split(' ').contains(word); });
    return rows;
}

QString lettersOf(const std::vector<QStringList>& rows)
{
    QString letters;
    for (size_t row = 1; row < rows.size(); ++row) {
        for (const QChar letter : rows[row].at(4))
            letters += letters.contains(letter) ? QString() : QString(letter);
    }
    return letters;
}

/// A word whose utterances can go without a letter going with them.
QString removableWord(const std::vector<QStringList>& rows)
{
    for (size_t row = 1; row < rows.size(); ++row) {
        for (const QString& word : rows[row].at(4).split(' ')) {
            const std::vector<QStringList> left = without(rows, word);
            if (left.size() > 8 && lettersOf(left).size() == lettersOf(rows).size())
                return word;
        }
    }
    return {};
}

} // namespace

/// The whole way of hotword fine-tuning on real speech, by the shipped recipes: a Paraformer, SeACo
/// on it with a list, its report, `earwright transcribe --hotwords`, a capsule.
class TstHotwordRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void paraformer_staysAsItWas();
    void report_isOfAllAndOfUnseenByEpoch();
    void findUnusedParameters_isInThePlan();
    void transcription_isTheTestsWithItsList();
    void listWithoutAKnownHotword_isRefused();
    void capsule_hearsAsTheRunWithoutTheList();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QByteArray alignments(const QString& model, const QStringList& more = {}) const;

    QTemporaryDir m_folder;
    QString m_paraformer, m_seaco;
};

void TstHotwordRun::initTestCase()
{
    const RealData data = realData(m_folder.path());
    if (data.folder.isEmpty())
        QSKIP(kNoRealData);
    const std::vector<QStringList> rows = smallSet(data.folder, 24);
    const QString unseen = removableWord(rows);
    QVERIFY(!unseen.isEmpty());
    writeSet(path("set"), rows);
    writeRows(path("set/train.csv"), without(rows, unseen));
    const QString seen = without(rows, unseen).at(1)[4].split(' ').first();
    writeFile(path("set/hotwords.txt"), (seen + "\n" + unseen + "\n").toUtf8());
    m_paraformer = path("paraformer");
    m_seaco = path("seaco");
    const QString recipes = EARWRIGHT_SOURCE_DIR "/configs/dsp20/";
    const Ended first = runEarwright(
        QStringList { "train", recipes + "paraformer.yaml", "--data_folder=" + path("set"),
            "--run-dir", m_paraformer, "--number_of_epochs=1" }
        + kSmall);
    QVERIFY2(first.code == 0, qPrintable(first.errors));
    const Ended second = runEarwright(
        QStringList { "train", recipes + "seaco_paraformer.yaml", "--data_folder=" + path("set"),
            "--run-dir", m_seaco, "--number_of_epochs=2", "--init_param=" + m_paraformer,
            "--seaco_decoder.linear_units=32", "++train_conf.find_unused_parameters=true" }
        + kSmall);
    QVERIFY2(second.code == 0, qPrintable(second.errors));
}

QByteArray TstHotwordRun::alignments(const QString& model, const QStringList& more) const
{
    const Ended ended
        = runEarwright(QStringList { "transcribe", model, path("set/test.csv"), "--batch-size",
                           "32", "--device", "cpu", "--alignments", path("wer.txt") }
            + more);
    return ended.code == 0 ? bytesOf(path("wer.txt")) : ended.errors.toUtf8();
}

void TstHotwordRun::paraformer_staysAsItWas()
{
    const QStringList rows
        = QString::fromUtf8(bytesOf(m_seaco + "/placement/rank0.tsv")).split('\n');
    QVERIFY(rows.size() > 20);
    for (const QString& row : rows) {
        const QStringList cells = row.split('\t');
        if (cells.size() < 4 || cells[3] == "buffer" || cells[3] == "kind")
            continue;
        const bool isOfSeaco = cells[0] == "bias_encoder" || cells[0] == "seaco_decoder"
            || cells[0] == "hotword_output_layer";
        QCOMPARE(cells[3], QString(isOfSeaco ? "parameter" : "frozen"));
    }
}

void TstHotwordRun::report_isOfAllAndOfUnseenByEpoch()
{
    const auto snapshot = snapshotOf(m_seaco);
    for (const char* figure : { "recall", "precision", "F1" }) {
        for (const char* kind : { "valid/hotword_", "valid/unseen_hotword_" }) {
            const auto series = snapshot.series.find(std::string(kind) + figure);
            QVERIFY2(series != snapshot.series.end(), kind);
            QCOMPARE(series->second.points().size(), size_t { 2 });
        }
    }
    const QString table = QString::fromUtf8(bytesOf(m_seaco + "/alignments/test-hotwords.tsv"));
    QCOMPARE(table.trimmed().count('\n'), 2);
}

void TstHotwordRun::findUnusedParameters_isInThePlan()
{
    const json plan = json::parse(bytesOf(m_seaco + "/plan.json").toStdString());
    QCOMPARE(plan.at("options").at("find_unused_parameters").get<bool>(), true);
}

void TstHotwordRun::transcription_isTheTestsWithItsList()
{
    const QByteArray recorded = bytesOf(m_seaco + "/alignments/test.txt");
    QCOMPARE(alignments(m_seaco), recorded);
    QCOMPARE(alignments(m_seaco, { "--hotwords", path("set/hotwords.txt") }), recorded);
    const Ended ended = runEarwright({ "transcribe", m_seaco, path("set/test.csv"), "--device",
        "cpu", "--hotwords", path("set/hotwords.txt") });
    QVERIFY2(ended.errors.contains("hotwords: recall "), qPrintable(ended.errors));
}

/// As a search over a CTC output does: a list of which nothing is heard was asked for in vain.
void TstHotwordRun::listWithoutAKnownHotword_isRefused()
{
    const QString list = path("unknown.txt");
    writeFile(list, "☃\n☂☂\n");
    const Ended ended
        = runEarwright({ "transcribe", m_seaco, path("set/test.csv"), "--hotwords", list });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains("☃, ☂☂. None is left of the list"), qPrintable(ended.errors));
}

/// As on another machine: neither the run nor the list is there.
void TstHotwordRun::capsule_hearsAsTheRunWithoutTheList()
{
    const QByteArray recorded = bytesOf(m_seaco + "/alignments/test.txt");
    const Ended exported = runEarwright({ "export", m_seaco, path("seaco.earwright") });
    QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    QVERIFY(QFile::remove(path("set/hotwords.txt")));
    for (const QString& run : { m_seaco, m_paraformer })
        QVERIFY(QDir(run).removeRecursively());
    QCOMPARE(alignments(path("seaco.earwright")), recorded);
}

EARWRIGHT_TEST(TstHotwordRun)
#include "tst_hotword_run.moc"
