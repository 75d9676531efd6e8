#include <nlohmann/json.hpp>
#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/files.h"
#include "tests/registry.h"

using namespace earwright::tests;
using earwright::run::Snapshot;

namespace {

/// Of a curve, the points after a step.
std::map<int64_t, double> pointsAfter(const QString& run, const char* tag, int64_t step)
{
    std::map<int64_t, double> points;
    const Snapshot snapshot = snapshotOf(run);
    const auto found = snapshot.series.find(tag);
    if (found != snapshot.series.end())
        for (const earwright::run::Point& point : found->second.points())
            if (point.step > step)
                points[point.step] = point.value;
    return points;
}

/// Of each time that the run was tested.
std::vector<double> testLosses(const QString& run)
{
    std::vector<double> losses;
    for (const earwright::run::Evaluated& evaluated : snapshotOf(run).evaluations)
        if (evaluated.split == "test")
            losses.push_back(evaluated.loss);
    return losses;
}

/// That a resume has nothing to do.
bool saysFinished(const Ended& ended)
{
    return ended.code == 0 && ended.output.count('\n') == 1
        && ended.output.contains("' is finished, after epoch ");
}

/// A launcher's only rank: its exit code, and what it said.
Ended runRankAlone(const QString& run)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : { std::pair { "RANK", "0" }, { "LOCAL_RANK", "0" },
             { "WORLD_SIZE", "1" }, { "MASTER_ADDR", "127.0.0.1" }, { "MASTER_PORT", "1" } })
        environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(earwrightProgram(), { "rank", run });
    process.waitForFinished(60000);
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

QString logOf(const QString& run)
{
    QString text;
    for (const earwright::run::LogLine& line : snapshotOf(run).log)
        text += QString::fromStdString(line.level + ": " + line.text + "\n");
    return text;
}

} // namespace

/// A run that goes on otherwise than it began: longer, edited, or over other data.
class TstResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void moreEpochs_areThoseOfALongerRun();
    void moreEpochs_layTheScheduleOutAnew();
    void raisedStepLimit_goesOnWithinTheEpoch();
    void change_isInTheRunsFolder();
    void refusedChange_leavesTheRunAsItWas_data();
    void refusedChange_leavesTheRunAsItWas();
    void changedManifest_isToldWithNumbers();
    void finishedRun_saysSoAndDoesNothing();
    void runWithoutItsEnd_isEndedWithoutAnotherTest();
    void otherSearch_isTestedOnce();
    void otherTestSet_isTestedOnce();
    void editedFiles_areRefusedToRanksOfOtherLaunchers();

private:
    QStringList train(const QString& recipe, const QString& run, const QStringList& more) const
    {
        return QStringList { "train", recipe, "--data_folder=" + m_data, "--devices", "cpu:1",
            "--channels=32", "--dynamic_batch_sampler.max_batch_length=8", "--run-dir", run }
        + more;
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
    QString m_recipe; ///< its schedule is laid out over the steps
    QString m_newBob; ///< the same with one that hangs on the validation
    QString m_data;
};

void TstResume::initTestCase()
{
    const RealData data = realData(m_folder.path());
    if (data.folder.isEmpty())
        QSKIP(kNoRealData);
    m_recipe = data.recipe;
    m_data = path("data");
    writeSet(m_data, smallSet(data.folder, 24));
    QByteArray text = bytesOf(m_recipe);
    const qsizetype begin = text.indexOf("\nlr_annealing:") + 1;
    const qsizetype end = text.indexOf("\n\n", begin);
    QVERIFY(begin > 0 && end > begin);
    text.replace(begin, end - begin,
        "lr_annealing: !new:speechbrain.nnet.schedulers.NewBobScheduler\n"
        "    initial_value: !ref <lr>\n    improvement_threshold: 10.0\n");
    m_newBob = path("newbob.yaml");
    writeFile(m_newBob, text);
}

void TstResume::moreEpochs_areThoseOfALongerRun()
{
    const QString whole = path("whole");
    const QString parts = path("parts");
    QCOMPARE(runEarwright(train(m_newBob, whole, { "--number_of_epochs=4" })).code, 0);
    QCOMPARE(runEarwright(train(m_newBob, parts, { "--number_of_epochs=2" })).code, 0);
    const Ended ended = runEarwright({ "resume", parts, "--number_of_epochs=4" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY(!lossesOf(whole).empty());
    QCOMPARE(lossesOf(parts), lossesOf(whole));
    QCOMPARE(pointsAfter(parts, "train/lr", 0), pointsAfter(whole, "train/lr", 0));
    QCOMPARE(snapshotOf(parts).started.numberOfEpochs, int64_t { 4 });
}

void TstResume::moreEpochs_layTheScheduleOutAnew()
{
    const QString whole = path("laid out whole");
    const QString parts = path("laid out anew");
    QCOMPARE(runEarwright(train(m_recipe, whole, { "--number_of_epochs=4" })).code, 0);
    QCOMPARE(runEarwright(train(m_recipe, parts, { "--number_of_epochs=2" })).code, 0);
    const int64_t step = snapshotOf(parts).step;
    QCOMPARE(runEarwright({ "resume", parts, "--number_of_epochs=4" }).code, 0);
    const auto rates = pointsAfter(parts, "train/lr", step);
    QVERIFY(rates.size() >= 2);
    QCOMPARE(rates, pointsAfter(whole, "train/lr", step));
    QVERIFY2(logOf(parts).contains("info: the learning rate is "), qPrintable(logOf(parts)));
}

void TstResume::raisedStepLimit_goesOnWithinTheEpoch()
{
    const QString whole = path("without a limit");
    const QString parts = path("with a limit");
    QCOMPARE(runEarwright(train(m_newBob, whole, { "--number_of_epochs=2" })).code, 0);
    const int64_t perEpoch = snapshotOf(whole).started.stepsPerEpoch;
    QVERIFY(perEpoch >= 3);
    const QString limit = QString("--optimizer_step_limit=%1").arg(perEpoch - 1);
    QCOMPARE(runEarwright(train(m_newBob, parts, { "--number_of_epochs=2", limit })).code, 0);
    QCOMPARE(snapshotOf(parts).step, perEpoch - 1);
    QCOMPARE(runEarwright({ "resume", parts, "--optimizer_step_limit=0" }).code, 0);
    QCOMPARE(lossesOf(parts), lossesOf(whole));
    QCOMPARE(pointsAfter(parts, "train/lr", 0), pointsAfter(whole, "train/lr", 0));
}

void TstResume::change_isInTheRunsFolder()
{
    const QString run = path("changed");
    QCOMPARE(runEarwright(train(m_newBob, run, { "--number_of_epochs=1" })).code, 0);
    const QByteArray before = bytesOf(run + "/recipe.yaml");
    QCOMPARE(runEarwright({ "resume", run, "--number_of_epochs=2", "--max_restarts=1" }).code, 0);
    const QByteArray recipe = bytesOf(run + "/recipe.yaml");
    QVERIFY(recipe.startsWith(before));
    QVERIFY2(recipe.contains("#   number_of_epochs: 2 in place of 1\n"), recipe.constData());
    const auto plan = nlohmann::json::parse(bytesOf(run + "/plan.json").toStdString());
    QCOMPARE(plan["options"]["number_of_epochs"].get<int>(), 2);
    QCOMPARE(plan["revisions"].size(), size_t { 1 });
    QCOMPARE(plan["revisions"][0]["step"].get<int64_t>(), snapshotOf(run).started.resumedStep);
    QVERIFY(!plan["revisions"][0]["time"].get<std::string>().empty());
    QVERIFY(bytesOf(run + "/resolved.yaml").contains("limit: 2\n"));
    const QString told = "info: it goes on with number_of_epochs: 2 in place of 1; "
                         "max_restarts: 1 in place of 0\n";
    QVERIFY2(logOf(run).contains(told), qPrintable(logOf(run)));
    // Nothing is new to another resume, and an edit of the recipe is.
    QCOMPARE(runEarwright({ "resume", run }).code, 0);
    QCOMPARE(logOf(run).count(told), 1);
    writeFile(run + "/recipe.yaml", QByteArray(recipe).replace("num_workers: 2", "num_workers: 0"));
    // Of itself it leaves nothing to do, and waits for what does.
    const Ended idle = runEarwright({ "resume", run });
    QVERIFY2(saysFinished(idle), qPrintable(idle.output + idle.errors));
    QVERIFY2(idle.output.contains("num_workers: 0 in place of 2"), qPrintable(idle.output));
    QVERIFY2(!logOf(run).contains("num_workers: 0"), qPrintable(logOf(run)));
    const Ended edited = runEarwright({ "resume", run, "--number_of_epochs=3" });
    QVERIFY2(edited.code == 0, qPrintable(edited.errors));
    QVERIFY2(logOf(run).contains("num_workers: 0 in place of 2"), qPrintable(logOf(run)));
    const auto revised = nlohmann::json::parse(bytesOf(run + "/plan.json").toStdString());
    QCOMPARE(revised["revisions"].size(), size_t { 2 });
}

void TstResume::refusedChange_leavesTheRunAsItWas_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("file"); // that is edited
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& words, const char* file,
                         const char* before, const char* after, int code, const char* said) {
        QTest::newRow(name) << words << QString(file) << QString(before) << QString(after) << code
                            << QString(said);
    };
    row("seed", { "--seed=3" }, "", "", "", 1, "cannot change seed");
    row("epochs that are done", { "--number_of_epochs=1" }, "", "", "", 1,
        "number_of_epochs 1 lies before epoch 2, which the run is in or has done");
    row("steps that are done", { "--optimizer_step_limit=1" }, "", "", "", 1,
        "optimizer_step_limit 1 lies before step ");
    row("an option of another command", { "--run-dir=x" }, "", "", "", 2,
        "unknown option --run-dir=x; did you mean --runs-dir?");
    row("an edited seed", {}, "recipe.yaml", "seed: 1986", "seed: 3", 1, "cannot change seed");
    row("an edit that does not parse", {}, "recipe.yaml", "seed: 1986", "seed: [3", 1,
        "recipe.yaml:");
    row("an edited resolved.yaml", {}, "resolved.yaml", "seed: 1986", "seed: 3", 1,
        "resolved.yaml' was edited");
}

void TstResume::refusedChange_leavesTheRunAsItWas()
{
    QFETCH(QStringList, words);
    QFETCH(QString, file);
    QFETCH(QString, before);
    QFETCH(QString, after);
    QFETCH(int, code);
    QFETCH(QString, said);
    const QString run = path("refused");
    if (!QFile::exists(run))
        QCOMPARE(runEarwright(train(m_newBob, run, { "--number_of_epochs=2" })).code, 0);
    const auto files = [&] {
        return bytesOf(run + "/plan.json") + bytesOf(run + "/recipe.yaml")
            + bytesOf(run + "/resolved.yaml") + bytesOf(run + "/result.json");
    };
    const QByteArray kept = file.isEmpty() ? QByteArray() : bytesOf(run + "/" + file);
    if (!file.isEmpty()) {
        QVERIFY(kept.contains(before.toUtf8()));
        writeFile(run + "/" + file, QByteArray(kept).replace(before.toUtf8(), after.toUtf8()));
    }
    const QByteArray found = files();
    const Ended ended = runEarwright(QStringList { "resume", run } + words);
    QCOMPARE(ended.code, code);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QVERIFY(files() == found);
    if (!file.isEmpty())
        writeFile(run + "/" + file, kept);
}

void TstResume::changedManifest_isToldWithNumbers()
{
    const QString run = path("other data");
    const QString manifest = path("other.csv");
    std::vector<QStringList> rows = readRows(m_data + "/train.csv");
    writeRows(manifest, rows);
    const QStringList more { "--train_csv=" + manifest, "--number_of_epochs=1" };
    QCOMPARE(runEarwright(train(m_newBob, run, more)).code, 0);
    const QString changed = "has changed since the run read it";
    QVERIFY(!logOf(run).contains(changed));
    std::swap(rows[1], rows[2]);
    writeRows(manifest, rows);
    QCOMPARE(runEarwright({ "resume", run, "--number_of_epochs=2" }).code, 0);
    QVERIFY2(logOf(run).contains("the same 24 utterances ("), qPrintable(logOf(run)));
    rows.resize(11);
    writeRows(manifest, rows);
    QCOMPARE(runEarwright({ "resume", run, "--number_of_epochs=3" }).code, 0);
    QVERIFY2(logOf(run).contains(QRegularExpression(
                 "warning: train: '.*other[.]csv' has changed since the run read it: 24 utterances "
                 "[(].*[)] before, 10 utterances [(].*[)] now; the run takes it as it is now, from "
                 "epoch 3 on")),
        qPrintable(logOf(run)));
    QCOMPARE(runEarwright({ "resume", run, "--number_of_epochs=4" }).code, 0); // told once
    QCOMPARE(logOf(run).count(changed), 2);
}

/// It was tested again, and TensorBoard showed two figures at one step.
void TstResume::finishedRun_saysSoAndDoesNothing()
{
    const QString run = path("finished");
    QCOMPARE(runEarwright(train(m_newBob, run, { "--number_of_epochs=1" })).code, 0);
    const Snapshot before = snapshotOf(run);
    const QByteArray files = bytesOf(run + "/plan.json") + bytesOf(run + "/result.json");
    const QString words = "write `earwright resume RUN --number_of_epochs=N`, with N above 1\n";
    for (const Ended& ended : { runEarwright({ "resume", run }), runRankAlone(run),
             runEarwright({ "resume", run, "--number_of_epochs=1" }) }) {
        QVERIFY2(saysFinished(ended), qPrintable(ended.output + ended.errors));
        QVERIFY2(ended.output.endsWith(words), qPrintable(ended.output));
    }
    const Ended idle = runEarwright({ "resume", run, "--max_restarts=1" });
    QVERIFY2(saysFinished(idle), qPrintable(idle.output + idle.errors));
    QVERIFY2(idle.output.contains("max_restarts: 1 in place of 0 changes nothing of it"),
        qPrintable(idle.output));
    const Ended queued = runEarwright({ "queue", "add", run, "--runs-dir", path("queue") });
    QCOMPARE(queued.code, 3);
    QVERIFY2(queued.errors.contains("' is finished, after epoch 1"), qPrintable(queued.errors));
    const Snapshot after = snapshotOf(run);
    QCOMPARE(after.lastTime, before.lastTime); // nothing was logged
    QCOMPARE(after.log.size(), before.log.size());
    QVERIFY(bytesOf(run + "/plan.json") + bytesOf(run + "/result.json") == files);
    QCOMPARE(testLosses(run).size(), size_t { 1 });

    const QString limited = path("finished by its limit");
    QCOMPARE(runEarwright(
                 train(m_newBob, limited, { "--number_of_epochs=9", "--optimizer_step_limit=2" }))
                 .code,
        0);
    for (const Ended& ended : { runEarwright({ "resume", limited }),
             runEarwright({ "resume", limited, "--number_of_epochs=12" }) }) {
        QVERIFY2(saysFinished(ended), qPrintable(ended.output + ended.errors));
        QVERIFY2(ended.output.endsWith("write `earwright resume RUN --optimizer_step_limit=M`, "
                                       "with M above 2 or 0 for no limit\n"),
            qPrintable(ended.output));
    }
}

/// Killed between its test and its end.
void TstResume::runWithoutItsEnd_isEndedWithoutAnotherTest()
{
    const QString run = path("without its end");
    QCOMPARE(runEarwright(train(m_newBob, run, { "--number_of_epochs=1" })).code, 0);
    const earwright::run::RunFolder folder { run.toStdString() };
    QVERIFY(std::filesystem::remove_all(folder.events(-1)) > 0);
    for (const char* file : { "/history.bin", "/result.json" })
        QFile::remove(run + file);
    QVERIFY(snapshotOf(run).state != earwright::run::State::Done);
    const Ended ended = runEarwright({ "resume", run });
    QVERIFY2(ended.code == 0 && !saysFinished(ended), qPrintable(ended.output + ended.errors));
    QCOMPARE(snapshotOf(run).state, earwright::run::State::Done);
    QCOMPARE(testLosses(run).size(), size_t { 1 });
    QVERIFY(saysFinished(runEarwright({ "resume", run })));
}

void TstResume::otherSearch_isTestedOnce()
{
    const QString recipe = path("searches.yaml");
    writeFile(recipe, bytesOf(m_newBob) + "\ntest_beam_search:\n    beam_size: 2\n");
    const QString run = path("another search");
    QCOMPARE(runEarwright(train(recipe, run, { "--number_of_epochs=1" })).code, 0);
    QVERIFY(saysFinished(runEarwright({ "resume", run })));
    const Ended other = runEarwright({ "resume", run, "--test_beam_search.beam_size=4" });
    QVERIFY2(other.code == 0 && !saysFinished(other), qPrintable(other.output + other.errors));
    QCOMPARE(testLosses(run).size(), size_t { 2 });
    const Ended again = runEarwright({ "resume", run, "--test_beam_search.beam_size=4" });
    QVERIFY2(saysFinished(again), qPrintable(again.output + again.errors));
    QCOMPARE(testLosses(run).size(), size_t { 2 });
}

void TstResume::otherTestSet_isTestedOnce()
{
    const QString run = path("another test set");
    const QString manifest = path("test set.csv");
    std::vector<QStringList> rows = readRows(m_data + "/test.csv");
    writeRows(manifest, rows);
    const QStringList more { "--test_csv=" + manifest, "--number_of_epochs=1" };
    QCOMPARE(runEarwright(train(m_newBob, run, more)).code, 0);
    rows.resize(11);
    writeRows(manifest, rows);
    QCOMPARE(runEarwright({ "resume", run }).code, 0);
    QCOMPARE(testLosses(run).size(), size_t { 2 });
    QVERIFY2(logOf(run).contains("has changed since the run read it"), qPrintable(logOf(run)));
    // It is told anew what the other set shares with the training set.
    const QRegularExpression shared("warning: .*/test set[.]csv: 10 of 10 IDs, 10 of 10 audio "
                                    "files, .* sentences are in '.*/train[.]csv' too: ");
    QVERIFY2(logOf(run).contains(shared), qPrintable(logOf(run)));
    QVERIFY(saysFinished(runEarwright({ "resume", run })));
    QCOMPARE(testLosses(run).size(), size_t { 2 });
    QVERIFY(QFile::remove(manifest)); // which nothing needs any more
    QVERIFY(saysFinished(runEarwright({ "resume", run })));
}

/// Those read the plan's files as they are.
void TstResume::editedFiles_areRefusedToRanksOfOtherLaunchers()
{
    const QString run = path("of torchrun");
    QCOMPARE(runEarwright({ "plan", m_newBob, "--data_folder=" + m_data, "--devices", "cpu:1",
                              "--run-dir", run })
                 .code,
        0);
    writeFile(run + "/recipe.yaml", bytesOf(run + "/recipe.yaml") + "# edited\n");
    const Ended ended = runRankAlone(run);
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains("recipe.yaml' was edited after the run was planned"),
        qPrintable(ended.errors));
}

EARWRIGHT_TEST(TstResume)
#include "tst_resume.moc"
