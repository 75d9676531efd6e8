#include <QTemporaryDir>

#include "tests/engine/speech.h"
#include "tests/engine/training.h"
#include "tests/files.h"
#include "tests/registry.h"

using namespace earwright::tests;
using earwright::run::Snapshot;

namespace {

/// As in tests/engine/late_files.cpp.
constexpr int kLateOpenings = 6;

bool isInLog(const QString& run, const std::string& text)
{
    const Snapshot snapshot = snapshotOf(run);
    return std::any_of(snapshot.log.begin(), snapshot.log.end(),
        [&text](const auto& line) { return line.text.find(text) != std::string::npos; });
}

} // namespace

/// A run makes the manifests of a corpus that it knows before it trains, on rank 0.
class TstPreparation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void missingManifests_areMadeByRankZero_data();
    void missingManifests_areMadeByRankZero();
    void manifestThatIsThere_isLeftAlone();
    void skipPrep_isRespected();
    void failureOfRankZero_isOnEveryRanksLastLine();
    void stop_endsThePreparation();
    void tokenizerThatTakesLong_isNoHang();
    void ngramThatTakesLong_isNoHang_data();
    void ngramThatTakesLong_isNoHang();
    void cleanup();

private:
    std::string errorOfASlow(
        const QString& ending, const QByteArray& recipe, const QStringList& more = {});
    QString corpus(const QString& name, int takes) const;
    QStringList options(const QString& run) const;

    QTemporaryDir m_folder;
    RealData m_speech;
};

void TstPreparation::initTestCase()
{
    m_speech = realData(m_folder.path());
    if (!m_speech.recipe.endsWith("fsdd/ctc_conv.yaml"))
        QSKIP("set EARWRIGHT_DATA_DIR to a folder with a prepared fsdd");
}

void TstPreparation::cleanup()
{
    for (const char* name :
        { "LD_PRELOAD", "EARWRIGHT_LATE_FILES", "EARWRIGHT_SLOW_MS", "EARWRIGHT_SLOW_ENDING" })
        qunsetenv(name);
}

/// Real speech by the names of the Free Spoken Digit Dataset: of each speaker so many takes.
QString TstPreparation::corpus(const QString& name, int takes) const
{
    const std::vector<QStringList> rows = smallSet(m_speech.folder, 200);
    const QString folder = m_folder.filePath(name);
    QDir().mkpath(folder + "/recordings");
    for (int take = 0; take < takes; ++take) {
        for (const char* speaker : { "ann", "bob" })
            QFile::link(rows[1 + static_cast<size_t>(take) % (rows.size() - 1)][2],
                QString("%1/recordings/%2_%3_%4.wav")
                    .arg(folder)
                    .arg(take % 10)
                    .arg(speaker)
                    .arg(take));
    }
    return folder;
}

/// The digits as texts need other labels than the digit strings of the recipe.
QStringList TstPreparation::options(const QString& run) const
{
    const QString kept = m_folder.filePath("manifests of " + QFileInfo(run).fileName());
    return { "--train_csv=" + kept + "/train.csv", "--valid_csv=" + kept + "/valid.csv",
        "--test_csv=" + kept + "/test.csv", "--output_neurons=30", "--optimizer_step_limit=2" };
}

void TstPreparation::missingManifests_areMadeByRankZero_data()
{
    QTest::addColumn<bool>("late");
    QTest::newRow("shared folder") << false;
    QTest::newRow("shared folder that shows files late") << true;
}

void TstPreparation::missingManifests_areMadeByRankZero()
{
    QFETCH(bool, late);
    const QString run = m_folder.filePath(late ? "late" : "made");
    const QString noted = m_folder.filePath("noted");
    RealData data { m_speech.recipe, corpus("corpus", 24) };
    QStringList words = options(run);
    if (late) {
        // Slower than the heartbeat's timeout: whoever waits for rank 0 does not hang.
        qputenv("LD_PRELOAD", EARWRIGHT_LATE_FILES_LIBRARY);
        qputenv("EARWRIGHT_LATE_FILES", noted.toUtf8());
        qputenv("EARWRIGHT_SLOW_MS", "50");
        words << "--heartbeat_timeout=3";
    }
    Training training(data, run, words);
    cleanup(); // the run has its environment
    QCOMPARE(training.end(), 0);
    QCOMPARE(lossesOf(run).size(), size_t(2));
    QVERIFY(isInLog(run, "manifests were made:"));
    QVERIFY(isInLog(run, "checksums: 0 as the corpus has them, 48 recorded in "));
    const QString kept = m_folder.filePath("manifests of " + QFileInfo(run).fileName());
    QCOMPARE(bytesOf(kept + "/checksums.sha256").count('\n'), 49);
    QCOMPARE(readRows(kept + "/train.csv").size(), size_t(1 + 2 * 14));
    QCOMPARE(readRows(kept + "/valid.csv").size(), size_t(1 + 2 * 5));
    QCOMPARE(readRows(kept + "/test.csv").size(), size_t(1 + 2 * 5));
    if (late) {
        const QByteArray openings = bytesOf(noted);
        for (const char* name : { "train.csv\n", "valid.csv\n", "test.csv\n" })
            QVERIFY2(openings.count(name) > kLateOpenings, openings.constData());
    }
}

void TstPreparation::manifestThatIsThere_isLeftAlone()
{
    const QString run = m_folder.filePath("kept");
    const QString kept = m_folder.filePath("manifests of kept");
    QDir().mkpath(kept);
    std::vector<QStringList> rows = readRows(m_folder.filePath("manifests of made/train.csv"));
    rows.pop_back();
    writeRows(kept + "/train.csv", rows);
    const QByteArray before = bytesOf(kept + "/train.csv");
    Training training({ m_speech.recipe, corpus("corpus", 24) }, run, options(run));
    QCOMPARE(training.end(), 0);
    QCOMPARE(bytesOf(kept + "/train.csv"), before);
    QCOMPARE(readRows(kept + "/test.csv").size(), size_t(1 + 2 * 5));
}

void TstPreparation::skipPrep_isRespected()
{
    const QString run = m_folder.filePath("skipped");
    QStringList words { "train", m_speech.recipe, "--data_folder=" + corpus("corpus", 24),
        "--devices", "cpu:2", "--run-dir", run, "--skip_prep=True" };
    const Ended ended = runEarwright(words + options(run));
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains("manifest-missing-file"), qPrintable(ended.errors));
    QVERIFY(!QFile::exists(m_folder.filePath("manifests of skipped")));
}

void TstPreparation::failureOfRankZero_isOnEveryRanksLastLine()
{
    const QString run = m_folder.filePath("failed");
    const QString folder = m_folder.filePath("broken corpus");
    QDir().mkpath(folder + "/recordings");
    QFile broken(folder + "/recordings/7_ann_20.wav");
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no sound") == 8);
    broken.close();
    Training training({ m_speech.recipe, folder }, run, options(run));
    QCOMPARE(training.end(), 3);
    const QString error = QString::fromStdString(snapshotOf(run).error);
    QVERIFY2(error.contains("failed in prepare"), qPrintable(error));
    QVERIFY2(
        error.contains("no utterances are left for train (dropped 1: audio that cannot be "
                       "read (7_ann_20: its header is not sound (is it a WAV or FLAC file?))); "
                       "is this the right folder?"),
        qPrintable(error));
    QCOMPARE(lastLine(run, 0), error);
    QCOMPARE(lastLine(run, 1), error);
}

void TstPreparation::stop_endsThePreparation()
{
    const QString run = m_folder.filePath("stopped");
    qputenv("LD_PRELOAD", EARWRIGHT_LATE_FILES_LIBRARY);
    qputenv("EARWRIGHT_SLOW_MS", "200"); // ten minutes for all of it
    Training training({ m_speech.recipe, corpus("long corpus", 1500) }, run, options(run));
    cleanup();
    QVERIFY(training.reachesPhase("prepare"));
    QCOMPARE(runEarwright({ "stop", run }).code, 0);
    QCOMPARE(training.end(60000), 130);
    QVERIFY(!QFile::exists(m_folder.filePath("manifests of stopped")));
    QCOMPARE(snapshotOf(run).state, earwright::run::State::Stopped);
}

/// Of a run whose rank 0 waits five seconds for a file, and whoever does not get on for three
/// hangs.
std::string TstPreparation::errorOfASlow(
    const QString& ending, const QByteArray& recipe, const QStringList& more)
{
    const QString run = m_folder.filePath("slow" + QFileInfo(ending).fileName());
    writeSet(m_folder.filePath("digits"), smallSet(m_speech.folder, 60));
    writeFile(m_folder.filePath("slow.yaml"), recipe);
    qputenv("LD_PRELOAD", EARWRIGHT_LATE_FILES_LIBRARY);
    qputenv("EARWRIGHT_SLOW_MS", "5000");
    qputenv("EARWRIGHT_SLOW_ENDING", ending.toUtf8());
    Training training({ m_folder.filePath("slow.yaml"), m_folder.filePath("digits") }, run,
        more + QStringList { "--optimizer_step_limit=2", "--heartbeat_timeout=3" });
    cleanup(); // the run has its environment
    return training.end() == 0 ? "" : "failed: " + snapshotOf(run).error;
}

void TstPreparation::tokenizerThatTakesLong_isNoHang()
{
    const std::vector<QStringList> rows = smallSet(m_speech.folder, 60);
    QByteArray texts;
    for (size_t row = 1; row < rows.size(); ++row)
        texts += rows[row].last().toUtf8() + '\n';
    writeFile(m_folder.filePath("texts.txt"), texts);
    QByteArray recipe = bytesOf(m_speech.recipe);
    recipe.replace("label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder",
        "tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece\n"
        "    model_dir: !ref <data_folder>\n    vocab_size: 24\n    model_type: bpe\n"
        "    text_file: !ref <data_folder>/../texts.txt");
    const std::string error = errorOfASlow("/texts.txt", recipe, { "--output_neurons=24" });
    QVERIFY2(error.empty(), error.c_str());
    QVERIFY(QFile::exists(m_folder.filePath("slowtexts.txt/tokenizer.model")));
}

void TstPreparation::ngramThatTakesLong_isNoHang_data()
{
    QTest::addColumn<QString>("ending");
    QTest::newRow("to copy") << "/letters.arpa";
    QTest::newRow("to load") << "/kenlm_model";
}

void TstPreparation::ngramThatTakesLong_isNoHang()
{
    QFETCH(QString, ending);
    const QString ngram = m_folder.filePath("letters.arpa");
    writeFile(ngram, bytesOf(EARWRIGHT_CASES_DIR "/decode/letters.arpa"));
    const QByteArray recipe = bytesOf(m_speech.recipe)
        + "\ntest_beam_search:\n    kenlm_model_path: " + ngram.toUtf8() + "\n";
    const std::string error = errorOfASlow(ending, recipe);
    QVERIFY2(error.empty(), error.c_str());
}

EARWRIGHT_TEST(TstPreparation)
#include "tst_preparation.moc"
