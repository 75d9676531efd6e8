#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/registry.h"

using namespace earwright::tests;

namespace {

const QString kEdits = EARWRIGHT_CASES_DIR "/engine/edits/";

} // namespace

/// That the training is real: what it learns hangs on the labels, the recipe and the audio as it
/// should.
class TstProofs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void recipeEdits_changeTheLossesAsInSpeechBrain_data();
    void recipeEdits_changeTheLossesAsInSpeechBrain();
    void shuffledLabels_teachNothing();
    void chineseFolderWithStereoAt44k_trainsAndSaysSo();
    void evalPrecision_changesEvaluationAlone();
    void comparison_trainsEachPrecisionOnTheSameBatches();

private:
    QTemporaryDir m_folder;
    RealData m_data;
    QString m_prompts;
};

void TstProofs::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

void TstProofs::recipeEdits_changeTheLossesAsInSpeechBrain_data()
{
    QTest::addColumn<QStringList>("overrides");
    QTest::addColumn<QString>("weights");
    QTest::addColumn<int>("parameters");
    QTest::addColumn<QList<double>>("losses");
    QFile file(kEdits + "expected.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject cases = QJsonDocument::fromJson(file.readAll()).object();
    QVERIFY(!cases.isEmpty());
    for (auto it = cases.begin(); it != cases.end(); ++it) {
        const QJsonObject edit = it->toObject();
        QStringList overrides;
        for (const QJsonValue& word : edit["overrides"].toArray())
            overrides.append(word.toString());
        QList<double> losses;
        for (const QJsonValue& loss : edit["losses"].toArray())
            losses.append(loss.toDouble());
        QTest::newRow(qPrintable(it.key())) << overrides << kEdits + edit["weights"].toString()
                                            << edit["parameters"].toInt() << losses;
    }
}

void TstProofs::recipeEdits_changeTheLossesAsInSpeechBrain()
{
    QFETCH(QStringList, overrides);
    QFETCH(QString, weights);
    QFETCH(int, parameters);
    QFETCH(QList<double>, losses);
    const QString prompts = m_folder.filePath("prompts of the edits");
    if (!QFile::exists(prompts)) {
        if (runEarwright({ "prepare", "prompts", "--lang", "en", "--transcripts",
                             promptTranscripts(), "--out", prompts })
                .code
            != 0)
            QSKIP(kNoPrompts);
    }
    const QString run = m_folder.filePath(QString("edit-") + QTest::currentDataTag());
    const Ended ended = runEarwright(
        QStringList { "train", EARWRIGHT_SOURCE_DIR "/tests/bench/recipes/ctc_crdnn.yaml",
            "--data_folder=" + prompts, "--devices", "cpu:1", "--run-dir", run,
            "--init_param=" + weights, "--optimizer_step_limit=20" }
        + overrides);
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(snapshotOf(run).started.parameterCount, parameters);
    const std::map<int64_t, double> found = lossesOf(run);
    QCOMPARE(found.size(), size_t(20));
    for (int step = 1; step <= 20; ++step) {
        const double expected = losses[step - 1];
        const double difference = std::abs(found.at(step) - expected) / expected;
        QVERIFY2(difference < 0.01,
            qPrintable(
                QString("step %1: %2 instead of %3").arg(step).arg(found.at(step)).arg(expected)));
    }
}

void TstProofs::shuffledLabels_teachNothing()
{
    // Every utterance of a training set gets the transcript of the one 97 places on; validation and
    // test keep theirs.
    std::vector<QStringList> rows = readRows(m_data.folder + "/train.csv");
    const std::vector<QStringList> correct = rows;
    const size_t count = rows.size() - 1;
    for (size_t i = 0; i < count; ++i)
        rows[i + 1].last() = correct[(i + 97) % count + 1].last();
    const QString shuffled = m_folder.filePath("shuffled.csv");
    writeRows(shuffled, rows);
    const QStringList common { "train", m_data.recipe, "--data_folder=" + m_data.folder,
        "--devices", "cpu:2", QString("--number_of_epochs=%1").arg(m_data.epochs) };
    const QString wrong = m_folder.filePath("wrong labels");
    const Ended ended
        = runEarwright(common + QStringList { "--train_csv=" + shuffled, "--run-dir", wrong });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const earwright::run::Evaluated scores = snapshotOf(wrong).evaluations.back();
    QVERIFY2(scores.wer > 85, qPrintable(QString("WER %1 with shuffled labels").arg(scores.wer)));
    QVERIFY2(scores.cer > m_data.cerBound, qPrintable(QString("CER %1").arg(scores.cer)));
}

void TstProofs::chineseFolderWithStereoAt44k_trainsAndSaysSo()
{
    const QString folder = m_folder.filePath("语音 数据 (中文)");
    QVERIFY(QDir().mkpath(folder + "/音频"));
    std::vector<QStringList> rows = smallSet(m_data.folder, 24);
    for (size_t i = 1; i < rows.size(); ++i) {
        const QString target = QString("音频/第 %1 句.wav").arg(i);
        writeStereo44k(rows[i][2], folder + "/" + target);
        rows[i][2] = "$data_root/" + target;
    }
    writeSet(folder, rows);
    const QString run = m_folder.filePath("运行 一");
    const Ended ended = runEarwright({ "train", m_data.recipe, "--data_folder=" + folder,
        "--devices", "cpu:2", "--number_of_epochs=2", "--run-dir", run });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(snapshotOf(run).state, earwright::run::State::Done);
    QVERIFY2(ended.errors.contains("averaged to one channel"), qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains("resampled to 8000 Hz from 44100"), qPrintable(ended.errors));
}

void TstProofs::evalPrecision_changesEvaluationAlone()
{
    const QStringList common { "train", m_data.recipe, "--data_folder=" + m_data.folder,
        "--devices", "cpu:1", "--number_of_epochs=1", "--optimizer_step_limit=4", "--run-dir" };
    const QString plain = m_folder.filePath("eval fp32");
    const QString half = m_folder.filePath("eval bf16");
    QCOMPARE(runEarwright(common + QStringList { plain }).code, 0);
    QCOMPARE(runEarwright(common + QStringList { half, "--eval-precision", "bf16" }).code, 0);
    QCOMPARE(lossesOf(plain), lossesOf(half));
    const auto shares = [](const QString& run, const std::string& stage) {
        for (const earwright::run::DtypeCensus& census : snapshotOf(run).census) {
            if (census.stage == stage)
                return census.shareByDtype;
        }
        return std::map<std::string, double>();
    };
    QCOMPARE(shares(plain, "valid")["float32"], 1.0);
    QVERIFY(shares(half, "valid")["bfloat16"] > 0.9);
    QCOMPARE(shares(half, "train"), shares(plain, "train"));
}

void TstProofs::comparison_trainsEachPrecisionOnTheSameBatches()
{
    const QString root = m_folder.filePath("comparison");
    const Ended ended = runEarwright({ "compare", "--precisions", "fp32,bf16", m_data.recipe,
        "--data_folder=" + m_data.folder, "--devices", "cpu:1", "--number_of_epochs=1",
        "--optimizer_step_limit=6", "--runs-dir", root });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.contains("speed-up"), qPrintable(ended.output));
    const QStringList plain = QDir(root).entryList({ "*-fp32-*" });
    const QStringList half = QDir(root).entryList({ "*-bf16-*" });
    QCOMPARE(plain.size(), 1);
    QCOMPARE(half.size(), 1);
    const auto first = lossesOf(root + "/" + plain[0]);
    const auto second = lossesOf(root + "/" + half[0]);
    QCOMPARE(first.size(), size_t(6));
    QCOMPARE(second.size(), size_t(6));
    // The same weights and batch, another arithmetic: close, but not equal.
    QVERIFY(first.at(1) != second.at(1));
    QVERIFY(std::abs(first.at(1) - second.at(1)) < 0.05 * first.at(1));
    for (const earwright::run::DtypeCensus& census : snapshotOf(root + "/" + half[0]).census) {
        if (census.stage == "train")
            QVERIFY(census.shareByDtype.at("bfloat16") > 0.9);
    }
}

EARWRIGHT_TEST(TstProofs)
#include "tst_proofs.moc"
