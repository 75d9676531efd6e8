#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <csignal>

using namespace earwright::tests;
using earwright::run::Snapshot;

/// The program as a user runs it, on real speech.
class TstEarwright : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void brokenRecipe_isRefusedWithItsPlace();
    void layerNotInModules_isACoverageError();
    void layerLeftBehind_stopsTheRunBeforeItsFirstStep();
    void twoRanks_learnRealSpeech();
    void stoppedRun_goesOnAsIfNeverStopped();
    void supervisorKilledAtTheStart_leavesNoStoppedRun();
    void interrupt_stopsWithACheckpoint();
    void otherSeed_givesAnotherCurve();
    void killedRank_isNamedAndNothingIsLeft();
    void replicasWithoutSync_areSeenToDiverge();

private:
    QStringList train(const QString& run, const QStringList& more) const;

    QTemporaryDir m_folder;
    RealData m_data;
};

void TstEarwright::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

QStringList TstEarwright::train(const QString& run, const QStringList& more) const
{
    return QStringList { "train", m_data.recipe, "--data_folder=" + m_data.folder, "--run-dir",
        run }
    + more;
}

void TstEarwright::brokenRecipe_isRefusedWithItsPlace()
{
    const QString path = m_folder.filePath("broken.yaml");
    writeFile(path, "task: ctc\nmodules: {enc: !ref <enc>\nlr: 1\n");
    const Ended ended = runEarwright({ "check", path, "--format", "json" });
    QCOMPARE(ended.code, 1);
    const QJsonArray diagnostics
        = QJsonDocument::fromJson(ended.output.toUtf8()).object().value("diagnostics").toArray();
    QVERIFY(!diagnostics.isEmpty());
    QVERIFY(diagnostics.first().toObject().value("line").toInt() >= 2);
}

void TstEarwright::layerNotInModules_isACoverageError()
{
    QByteArray text = bytesOf(m_data.recipe);
    QVERIFY(text.contains("    ctc_lin: !ref <ctc_lin>\n"));
    text.replace("    ctc_lin: !ref <ctc_lin>\n", "");
    const QString changed = m_folder.filePath("changed.yaml");
    writeFile(changed, text);
    const Ended ended
        = runEarwright({ "check", changed, "--data_folder=" + m_data.folder, "--format", "json" });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.output.contains("\"coverage"), qPrintable(ended.output));
    QVERIFY2(ended.output.contains("ctc_lin"), qPrintable(ended.output));
}

void TstEarwright::layerLeftBehind_stopsTheRunBeforeItsFirstStep()
{
    // No plan can be made of such a recipe, so a sound one is damaged after it was made.
    const QString run = m_folder.filePath("left behind");
    QStringList words = train(run, { "--devices", "cpu:2" });
    words.replace(0, "plan");
    QCOMPARE(runEarwright(words).code, 0);
    QFile resolved(run + "/resolved.yaml");
    QVERIFY(resolved.open(QIODevice::ReadWrite));
    QString text = QString::fromUtf8(resolved.readAll());
    const qsizetype length = text.size();
    text.remove(QRegularExpression("(?<=\n) +ctc_lin: [^\n]*\n"));
    QVERIFY(text.size() < length);
    QVERIFY(resolved.seek(0) && resolved.write(text.toUtf8()) > 0);
    QVERIFY(resolved.resize(resolved.pos()));
    resolved.close();
    QFile plan(run + "/plan.json"); // without the sum that would tell of it
    QVERIFY(plan.open(QIODevice::ReadWrite));
    const QByteArray blind = QString::fromUtf8(plan.readAll())
                                 .replace(QRegularExpression("\"resolved_sha256\": *\"[^\"]*\""),
                                     "\"resolved_sha256\": \"\"")
                                 .toUtf8();
    QVERIFY(plan.seek(0) && plan.write(blind) > 0 && plan.resize(plan.pos()));
    plan.close();

    const Ended ended = runEarwright({ "resume", run });
    QCOMPARE(ended.code, 3);
    const QString name = QFileInfo(m_data.recipe).fileName();
    QVERIFY2(ended.errors.contains(
                 QRegularExpression(QRegularExpression::escape(name) + ":\\d+: 'ctc_lin'")),
        qPrintable(ended.errors));
    QVERIFY(lossesOf(run).empty());
    // Of the rank that failed first, which ends the other.
    const QStringList tables = QDir(run + "/placement").entryList({ "rank*.tsv" });
    QVERIFY(!tables.isEmpty());
    QFile table(run + "/placement/" + tables.first());
    QVERIFY(table.open(QIODevice::ReadOnly));
    QVERIFY(table.readAll().contains("\tcpu\tFalse\n"));
}

void TstEarwright::twoRanks_learnRealSpeech()
{
    const QString run = m_folder.filePath("two ranks 两");
    const Ended ended = runEarwright(
        train(run, { "--devices", "cpu:2", QString("--number_of_epochs=%1").arg(m_data.epochs) }));
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.contains("WER"), qPrintable(ended.output));
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Done);
    QCOMPARE(snapshot.started.devices.size(), size_t(2));
    QCOMPARE(snapshot.evaluations.back().split, std::string("test"));
    const earwright::run::Evaluated& scores = snapshot.evaluations.back();
    QVERIFY2(scores.wer < m_data.werBound, qPrintable(QString::number(scores.wer)));
    QVERIFY2(scores.cer < m_data.cerBound, qPrintable(QString::number(scores.cer)));
    QVERIFY(QFile::exists(run + "/alignments/test.txt"));
    QFile versions(run + "/versions.json");
    QVERIFY(versions.open(QIODevice::ReadOnly));
    QVERIFY(versions.readAll().contains("\"libtorch\": \"2."));
    for (const char* rank : { "rank0", "rank1" }) {
        QFile table(run + "/placement/" + rank + ".tsv");
        QVERIFY(table.open(QIODevice::ReadOnly));
        QVERIFY(!table.readAll().contains("\tFalse\n"));
    }
}

void TstEarwright::stoppedRun_goesOnAsIfNeverStopped()
{
    const QStringList options { "--devices", "cpu:1", "--threads_per_rank=1",
        "--number_of_epochs=1", "--optimizer_step_limit=24" };
    const QString whole = m_folder.filePath("whole");
    QCOMPARE(runEarwright(train(whole, options)).code, 0);

    const QString parts = m_folder.filePath("parts");
    QProcess process;
    process.start(earwrightProgram(), train(parts, options));
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(parts).size() >= 5, 120000);
    QVERIFY(ask(parts, "stop"));
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(runEarwright({ "resume", parts }).code, 0);
    QCOMPARE(lossesOf(parts), lossesOf(whole));
}

void TstEarwright::supervisorKilledAtTheStart_leavesNoStoppedRun()
{
    const QString run = m_folder.filePath("at-start");
    QProcess process;
    process.start(earwrightProgram(), train(run, { "--devices", "cpu:1", "--number_of_epochs=1" }));
    QTRY_VERIFY_WITH_TIMEOUT(!ranksOf(run).isEmpty(), 120000);
    QCOMPARE(runEarwright({ "stop", run }).code, 0);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(snapshotOf(run).state, earwright::run::State::Stopped);
    process.start(earwrightProgram(), { "resume", run });
    QTRY_VERIFY_WITH_TIMEOUT(!ranksOf(run).isEmpty(), 120000);
    process.kill();
    QVERIFY(process.waitForFinished(60000));
    QTRY_VERIFY_WITH_TIMEOUT(ranksOf(run).isEmpty(), 60000);
    QCOMPARE(earwright::run::observedState({ run.toStdString() }, snapshotOf(run)),
        earwright::run::State::Interrupted);
}

void TstEarwright::interrupt_stopsWithACheckpoint()
{
    const QString run = m_folder.filePath("interrupted");
    QProcess process;
    process.start(earwrightProgram(), train(run, { "--devices", "cpu:2" }));
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(run).size() >= 3, 120000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT); // what Ctrl-C sends
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.state, earwright::run::State::Stopped);
    QCOMPARE(QDir(run + "/checkpoints").entryList({ "step-*" }).size(), 1);
}

void TstEarwright::otherSeed_givesAnotherCurve()
{
    const QString first = m_folder.filePath("whole");
    const QString other = m_folder.filePath("other");
    QCOMPARE(
        runEarwright(train(other,
                         { "--devices", "cpu:1", "--threads_per_rank=1", "--number_of_epochs=1",
                             "--optimizer_step_limit=24", "--seed=7" }))
            .code,
        0);
    QVERIFY(lossesOf(other) != lossesOf(first));
}

void TstEarwright::killedRank_isNamedAndNothingIsLeft()
{
    const QString run = m_folder.filePath("killed");
    QProcess process;
    process.start(earwrightProgram(), train(run, { "--devices", "cpu:2" }));
    QTRY_VERIFY_WITH_TIMEOUT(lossesOf(run).size() >= 3, 120000);
    const QList<int> pids = ranksOf(run);
    QCOMPARE(pids.size(), 2);
    ::kill(pids.last(), SIGKILL);
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), 3);
    const Snapshot snapshot = snapshotOf(run);
    QVERIFY2(snapshot.error.find("SIGKILL") != std::string::npos, snapshot.error.c_str());
    QVERIFY(ranksOf(run).isEmpty());
}

void TstEarwright::replicasWithoutSync_areSeenToDiverge()
{
    const QString run = m_folder.filePath("drift");
    const Ended ended = runEarwright(train(run,
        { "--devices", "cpu:2", "--sync_gradients=False", "--replica_check_interval=4",
            "--number_of_epochs=1", "--optimizer_step_limit=10" }));
    QCOMPARE(ended.code, 3);
    const QString error = QString::fromStdString(snapshotOf(run).error);
    QVERIFY2(
        error.contains(QRegularExpression("diverged at step 4: parameter enc\\.[\\w.]+ differs "
                                          "between rank 0 and rank 1")),
        qPrintable(error));
}

EARWRIGHT_TEST(TstEarwright)
#include "tst_earwright.moc"
