#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/engine/speech.h"
#include "tests/engine/training.h"
#include "tests/registry.h"

using namespace earwright::tests;
using earwright::run::Snapshot;

namespace {

/// Of a curve, 0 where there is none.
double valueAt(const QString& run, const std::string& tag, int64_t step)
{
    const Snapshot snapshot = snapshotOf(run);
    const auto found = snapshot.series.find(tag);
    if (found != snapshot.series.end()) {
        for (const earwright::run::Point& point : found->second.points()) {
            if (point.step == step)
                return point.value;
        }
    }
    return 0;
}

} // namespace

/// What a run is told while it is under way, in every phase.
class TstCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pausedRun_standsStillAndObeys();
    void stopInPreparation_endsBeforeAStep();
    void commandsInPreparation_holdFromTheFirstStep();
    void commandsInValidation_areObeyedWithinIt();
    void commandsToARunThatHasEnded_areRefused();
    void comparedPrecisions_areAllPlannedFirst();

private:
    /// A manifest that repeats one utterance, for phases that take long.
    QString longManifest(int count) const;

    QTemporaryDir m_folder;
    RealData m_data;
};

void TstCommands::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP(kNoRealData);
}

QString TstCommands::longManifest(int count) const
{
    std::vector<QStringList> rows = smallSet(m_data.folder, 1);
    const QStringList one = rows.at(1);
    rows.resize(1);
    for (int i = 0; i < count; ++i) {
        rows.push_back(one);
        rows.back()[0] += QString("-%1").arg(i);
    }
    const QString file = m_folder.filePath(QString("%1.csv").arg(count));
    writeRows(file, rows);
    return file;
}

void TstCommands::pausedRun_standsStillAndObeys()
{
    // The replicas are compared after every step: a rate that one rank had a step earlier would end
    // the run.
    const QString run = m_folder.filePath("paused");
    Training training(m_data, run, { "--replica_check_interval=1", "--heartbeat_timeout=3" });
    QVERIFY(training.reachesStep(3));
    QCOMPARE(runEarwright({ "pause", run }).code, 0);
    QVERIFY(training.reachesPhase("pause"));
    const QString listed = runEarwright({ "runs", "--runs-dir", m_folder.path() }).output;
    QVERIFY2(listed.count("paused") == 2, qPrintable(listed)); // its name, and how it stands
    const int64_t step = snapshotOf(run).step;
    // Longer than heartbeat_timeout: to stand still is not to hang.
    QVERIFY(!QTest::qWaitFor(
        [&] { return training.hasEnded() || snapshotOf(run).step != step; }, 4000));

    const size_t saved = snapshotOf(run).checkpoints.size();
    QCOMPARE(runEarwright({ "checkpoint", run }).code, 0);
    QVERIFY(
        QTest::qWaitFor([&] { return snapshotOf(run).checkpoints.size() == saved + 1; }, 60000));
    QCOMPARE(snapshotOf(run).checkpoints.back().step, step);
    QCOMPARE(runEarwright({ "set-lr", run, "0.000625" }).code, 0);
    QCOMPARE(runEarwright({ "set-lr", run, "-1" }).code, 2);
    QCOMPARE(runEarwright({ "continue", run }).code, 0);
    QVERIFY(training.reachesStep(step + 3));
    QCOMPARE(valueAt(run, "train/lr", step + 1), 0.000625);
    QCOMPARE(lossesOf(run).size(), static_cast<size_t>(snapshotOf(run).step)); // none left out

    QCOMPARE(runEarwright({ "pause", run }).code, 0);
    QVERIFY(training.reachesPhase("pause"));
    QCOMPARE(runEarwright({ "stop", run }).code, 0);
    QCOMPARE(training.end(), 130);
    QCOMPARE(snapshotOf(run).state, earwright::run::State::Stopped);
    QCOMPARE(snapshotOf(run).checkpoints.back().step, snapshotOf(run).step);
}

void TstCommands::stopInPreparation_endsBeforeAStep()
{
    const QString run = m_folder.filePath("stopped early");
    Training training(m_data, run, { "--test_csv=" + longManifest(100000) });
    QVERIFY(training.reachesPhase("prepare"));
    QVERIFY(ask(run, "pause"));
    QCOMPARE(runEarwright({ "stop", run }).code, 0);
    QCOMPARE(training.end(), 130);
    QVERIFY(lossesOf(run).empty());
    QCOMPARE(snapshotOf(run).state, earwright::run::State::Stopped);
}

void TstCommands::commandsInPreparation_holdFromTheFirstStep()
{
    const QString run = m_folder.filePath("told early");
    Training training(m_data, run,
        { "--test_csv=" + longManifest(60000), "--replica_check_interval=1", "--lr=0.002",
            "--lr_annealing.warmup=0.05", "--optimizer_step_limit=40" });
    QVERIFY(training.reachesPhase("prepare"));
    QVERIFY(ask(run, "pause"));
    QVERIFY(ask(run, "set-lr", 0.004));
    QVERIFY(ask(run, "checkpoint"));
    const auto said = [&run](const std::string& text) {
        const Snapshot snapshot = snapshotOf(run);
        return std::any_of(snapshot.log.begin(), snapshot.log.end(),
            [&text](const auto& line) { return line.text.starts_with(text); });
    };
    // Each is acknowledged at once, long before it can be done.
    QTRY_VERIFY_WITH_TIMEOUT(
        said("learning rate 0.004 asked for") && said("checkpoint asked for"), 60000);
    QCOMPARE(snapshotOf(run).phase, std::string("prepare"));
    QVERIFY(lossesOf(run).empty());
    QCOMPARE(runEarwright({ "continue", run }).code, 0);
    QVERIFY(training.reachesStep(3));
    QCOMPARE(snapshotOf(run).checkpoints.front().step, int64_t(0));
    // In place of the optimizer's own: two steps of warm-up lead to it, as they would have to
    // 0.002.
    QCOMPARE(valueAt(run, "train/lr", 1), 0.002);
    QCOMPARE(valueAt(run, "train/lr", 2), 0.004);
    QCOMPARE(runEarwright({ "stop", run }).code, 0);
    QCOMPARE(training.end(), 130);
}

void TstCommands::commandsInValidation_areObeyedWithinIt()
{
    const QString run = m_folder.filePath("validating");
    Training training(m_data, run,
        { "--valid_csv=" + longManifest(6000), "--number_of_epochs=1",
            "--optimizer_step_limit=4" });
    QVERIFY(training.reachesPhase("validate"));
    QVERIFY(ask(run, "checkpoint"));
    QVERIFY(QTest::qWaitFor([&] { return snapshotOf(run).checkpoints.size() == 1; }, 60000));
    QCOMPARE(snapshotOf(run).phase, std::string("validate"));
    QVERIFY(ask(run, "pause"));
    QVERIFY(training.reachesPhase("pause"));
    QVERIFY(ask(run, "checkpoint")); // while it stands still
    QVERIFY(QTest::qWaitFor([&] { return snapshotOf(run).checkpoints.size() == 2; }, 60000));
    QVERIFY(ask(run, "continue"));
    QVERIFY(training.reachesPhase("validate"));
    QVERIFY(ask(run, "stop"));
    QCOMPARE(training.end(), 130);
    QVERIFY(snapshotOf(run).evaluations.empty());
    QCOMPARE(snapshotOf(run).step, 4);

    // It goes on where it was: at the validation.
    const Ended resumed = runEarwright({ "resume", run });
    QVERIFY2(resumed.code == 0, qPrintable(resumed.errors));
    const Snapshot snapshot = snapshotOf(run);
    QCOMPARE(snapshot.step, 4);
    QCOMPARE(snapshot.evaluations.size(), size_t(2));
    QCOMPARE(snapshot.evaluations[0].split, std::string("valid"));
    QCOMPARE(snapshot.evaluations[1].split, std::string("test"));
}

void TstCommands::commandsToARunThatHasEnded_areRefused()
{
    const QString run = m_folder.filePath("validating");
    for (const char* command : { "stop", "pause", "continue", "checkpoint" }) {
        const Ended ended = runEarwright({ command, run });
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.errors.contains("is not running"), qPrintable(ended.errors));
        const Ended named = runEarwright({ command, "validating", "--runs-dir", m_folder.path() });
        QCOMPARE(named.errors, ended.errors);
    }
}

/// A precision that is wrong is told before hours of another.
void TstCommands::comparedPrecisions_areAllPlannedFirst()
{
    const auto compared = [&](const QString& precisions) {
        return runEarwright({ "compare", "--precisions", precisions, m_data.recipe,
            "--data_folder=" + m_data.folder, "--devices", "cpu", "--runs-dir",
            m_folder.filePath("compared"), "--optimizer_step_limit=3" });
    };
    const Ended wrong = compared("fp32,bf61");
    QCOMPARE(wrong.code, 1);
    QVERIFY2(wrong.errors.contains("not bf61"), qPrintable(wrong.errors));
    QVERIFY(!QFile::exists(m_folder.filePath("compared")));
    // Three steps tell no speed, and that of nothing is none.
    const Ended brief = compared("fp32, bf16");
    QVERIFY2(brief.code == 0, qPrintable(brief.errors));
    const QRegularExpression unknown("\\n(fp32|bf16) +done .*% +- +- +[0-9]");
    QCOMPARE(brief.output.count(unknown), 2);
}

EARWRIGHT_TEST(TstCommands)
#include "tst_commands.moc"
