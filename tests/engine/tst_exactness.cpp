#include <QDeadlineTimer>
#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <csignal>

using namespace earwright::tests;
using earwright::run::Snapshot;

namespace {

constexpr int kSteps = 24;

/// The supervisor, all ranks and their keeper, as a power cut ends them.
void killEverything(QProcess& supervisor, const QString& run)
{
    QList<int> pids = processesOf(run, "(rank|keep)");
    pids.prepend(static_cast<int>(supervisor.processId()));
    for (const int pid : pids)
        ::kill(pid, SIGKILL);
}

} // namespace

/// What must come out the same to the last bit, on real speech.
class TstExactness : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedRun_goesOnBitForBit_data();
    void killedRun_goesOnBitForBit();
    void killedAtItsCheckpoint_hasTheLossesBefore();
    void werFile_isThatOfOneRank();
    void unusedParameters_areToldBeforeTheFirstStep();
    void unusedParameters_trainWithEitherRemedy_data();
    void unusedParameters_trainWithEitherRemedy();

private:
    QStringList train(const QString& recipe, const QString& run, const QStringList& more) const;

    QTemporaryDir m_folder;
    QString m_recipe;
    QString m_spare; ///< the same with a layer that no step uses
    QString m_data;
};

void TstExactness::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    const RealData data = realData(m_folder.path());
    if (data.folder.isEmpty())
        QSKIP(kNoRealData);
    m_recipe = data.recipe;
    m_data = m_folder.filePath("data");
    writeSet(m_data, smallSet(data.folder, 60));

    QByteArray text = bytesOf(m_recipe);
    QVERIFY(text.contains("\nmodules:\n"));
    text.replace("\nmodules:\n",
        "\nspare: !new:speechbrain.nnet.linear.Linear\n    input_size: 30\n    n_neurons: 20\n"
        "\nmodules:\n    spare: !ref <spare>\n");
    text.replace("    - [!ref <enc>,", "    - [!ref <spare>, !ref <enc>,");
    m_spare = m_folder.filePath("spare.yaml");
    writeFile(m_spare, text);
}

QStringList TstExactness::train(
    const QString& recipe, const QString& run, const QStringList& more) const
{
    return QStringList { "train", recipe, "--data_folder=" + m_data, "--run-dir", run } + more;
}

void TstExactness::killedRun_goesOnBitForBit_data()
{
    QTest::addColumn<QString>("devices");
    // Two ranks are those of tests/chaos.py.
    QTest::newRow("1 rank") << "cpu:1";
    QTest::newRow("3 ranks") << "cpu:3"; // more than two numbers are added up in some order
}

void TstExactness::killedRun_goesOnBitForBit()
{
    QFETCH(QString, devices);
    const QStringList options { "--devices", devices, "--number_of_epochs=20",
        QString("--optimizer_step_limit=%1").arg(kSteps), "--ckpt_interval_steps=3" };
    const QString whole = m_folder.filePath("whole " + devices);
    QCOMPARE(runEarwright(train(m_recipe, whole, options)).code, 0);
    const auto expected = lossesOf(whole);
    QCOMPARE(expected.size(), size_t(kSteps));

    const QString parts = m_folder.filePath("parts " + devices);
    QStringList words = train(m_recipe, parts, options);
    for (const size_t step : { 5u, 12u }) { // or a little later; tests/chaos.py draws at random
        QProcess process;
        process.start(earwrightProgram(), words);
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(parts).size() >= step, 120000);
        killEverything(process, parts);
        QVERIFY(process.waitForFinished(60000));
        QTRY_VERIFY_WITH_TIMEOUT(ranksOf(parts).isEmpty(), 60000);
        QVERIFY2(lossesOf(parts).size() < kSteps, "it ended before it was killed");
        words = { "resume", parts };
    }
    const Ended ended = runEarwright(words);
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(snapshotOf(parts).started.resumedStep > 0);
    QCOMPARE(lossesOf(parts), expected);
}

/// A run that goes on from a checkpoint does not take the steps before it again.
void TstExactness::killedAtItsCheckpoint_hasTheLossesBefore()
{
    const QString run = m_folder.filePath("killed at its checkpoint");
    const QString checkpoint = run + "/checkpoints/step-3";
    QProcess process;
    process.start(earwrightProgram(),
        train(m_recipe, run, { "--devices", "cpu:1", "--ckpt_interval_steps=3" }));
    const QDeadlineTimer deadline(120000);
    while (!QFile::exists(checkpoint) && !deadline.hasExpired()) { }
    killEverything(process, run);
    QVERIFY(QFile::exists(checkpoint));
    QVERIFY(process.waitForFinished(60000));
    QTRY_VERIFY_WITH_TIMEOUT(ranksOf(run).isEmpty(), 60000);
    const size_t losses = lossesOf(run).size();
    QVERIFY2(losses >= 3, qPrintable(QString::number(losses)));
}

void TstExactness::werFile_isThatOfOneRank()
{
    const QString trained = m_folder.filePath("trained");
    QCOMPARE(runEarwright(train(m_recipe, trained,
                              { "--devices", "cpu:1", "--number_of_epochs=20",
                                  "--optimizer_step_limit=60", "--lr=0.005" }))
                 .code,
        0);
    const QDir checkpoints(trained + "/checkpoints");
    const QStringList saved = checkpoints.entryList({ "step-*" });
    QVERIFY(!saved.isEmpty());
    const QString weights = checkpoints.filePath(saved.last() + "/model.safetensors");
    QList<QByteArray> files;
    QList<double> losses;
    for (const char* devices : { "cpu:1", "cpu:2" }) {
        const QString run = m_folder.filePath(QString("test on ") + devices);
        const Ended ended = runEarwright(train(m_recipe, run,
            { "--devices", devices, "--number_of_epochs=0", "--init_param=" + weights,
                "--threads_per_rank=1", "--test_dataloader_opts.batch_size=7" }));
        QVERIFY2(ended.code == 0, qPrintable(ended.errors));
        files << bytesOf(run + "/alignments/test.txt");
        losses << snapshotOf(run).evaluations.back().loss;
    }
    QVERIFY(files[0].startsWith("%WER"));
    QVERIFY2(files[0].count('\n') > 60 * 3, files[0].constData());
    QCOMPARE(files[1], files[0]);
    QCOMPARE(losses[1], losses[0]);
}

void TstExactness::unusedParameters_areToldBeforeTheFirstStep()
{
    const QString run = m_folder.filePath("unused");
    const Ended ended = runEarwright(train(m_spare, run, { "--devices", "cpu:2" }));
    QCOMPARE(ended.code, 3);
    for (const char* part : { "2 of ", "spare.w.weight (2400 bytes)", "spare.w.bias (80 bytes)",
             "(2480 bytes)", "freeze_param: spare\n", "find_unused_parameters: True" })
        QVERIFY2(ended.errors.contains(part), qPrintable(ended.errors));
    QVERIFY(lossesOf(run).empty());
}

void TstExactness::unusedParameters_trainWithEitherRemedy_data()
{
    QTest::addColumn<QString>("override");
    QTest::newRow("flag") << "++train_conf.find_unused_parameters=true";
    QTest::newRow("freeze") << "++train_conf.freeze_param=spare";
    QTest::newRow("static graph") << "--static_graph=True";
}

void TstExactness::unusedParameters_trainWithEitherRemedy()
{
    QFETCH(QString, override);
    const QString run = m_folder.filePath("remedy " + QString(QTest::currentDataTag()));
    const Ended ended = runEarwright(train(m_spare, run,
        { "--devices", "cpu:2", "--number_of_epochs=2", "--optimizer_step_limit=5",
            "--replica_check_interval=1", override }));
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(lossesOf(run).size(), size_t(5));
    const earwright::run::RunStarted started = snapshotOf(run).started;
    const int64_t spare = 30 * 20 + 20;
    QCOMPARE(
        started.parameterCount - started.trainedCount, override.contains("freeze") ? spare : 0);
}

EARWRIGHT_TEST(TstExactness)
#include "tst_exactness.moc"
