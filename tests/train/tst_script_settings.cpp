#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

std::vector<run::Point> curve(const run::Snapshot& snapshot, const std::string& tag)
{
    const auto found = snapshot.series.find(tag);
    return found == snapshot.series.end() ? std::vector<run::Point>() : found->second.points();
}

/// joint.yaml with another first optimizer.
std::string jointWithAdam()
{
    QString text = QString::fromStdString(*readFile(EARWRIGHT_CASES_DIR "/train/equal/joint.yaml"));
    text.replace("opt_class: !name:torch.optim.SGD\n    lr: 0.05\n    momentum: 0.9\n",
        "Adam: !name:torch.optim.Adam\n    lr: 0.01\n");
    return text.toStdString();
}

const std::string kSecondStage = "SGD: !name:torch.optim.SGD\n    lr: 0.02\n    momentum: 0.9\n"
                                 "    nesterov: True\n";

} // namespace

/// Keys that upstream's scripts read, in whole trainings. Epochs have five steps.
class TstScriptSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void secondStage_hasTheOtherOptimizer();
    void secondStage_isResumed_data();
    void secondStage_isResumed();
    void secondStage_isInTheCheckpoint();
    void secondStage_beginsWhereAnOlderRunResumes();
    void secondStage_goesOnWithTheSchedule();
    void validSearchInterval_searchesNowAndThen();

private:
    RankRun runOf(const QString& name, const std::string& more, int steps) const;

    QTemporaryDir m_folder;
};

void TstScriptSettings::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
}

RankRun TstScriptSettings::runOf(const QString& name, const std::string& more, int steps) const
{
    const std::string recipe = m_folder.filePath(name + ".yaml").toStdString();
    if (!writeFileAtomically(recipe, jointWithAdam() + more))
        qFatal("no recipe");
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = { "--batch_size=4", "--optimizer_step_limit=" + std::to_string(steps) } };
}

void TstScriptSettings::secondStage_hasTheOtherOptimizer()
{
    const RankRun run = runOf("stages", kSecondStage + "stage_one_epochs: 1\n", 8);
    QCOMPARE(run.train(), QString());
    const auto rates = curve(run.snapshot(), "train/lr");
    QCOMPARE(rates.size(), size_t(8));
    for (const run::Point& rate : rates)
        QCOMPARE(rate.value, rate.step <= 5 ? 0.01 : 0.02);
    const auto last = train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
    QVERIFY(last.has_value());
    const auto saved = train::loadCheckpoint(*last);
    QVERIFY(saved);
    QVERIFY(saved->training.contains("optimizer.0.momentum_buffer"));
    QVERIFY(!saved->training.contains("optimizer.0.exp_avg"));
}

void TstScriptSettings::secondStage_isResumed_data()
{
    QTest::addColumn<int>("stoppedAt");
    QTest::newRow("in the first stage") << 3;
    QTest::newRow("between the stages") << 5;
    QTest::newRow("in the second stage") << 8;
    QTest::newRow("between its epochs") << 10;
}

void TstScriptSettings::secondStage_isResumed()
{
    QFETCH(int, stoppedAt);
    const std::string more = kSecondStage + "stage_one_epochs: 1\n";
    const RankRun whole = runOf("whole", more, 12);
    if (!std::filesystem::exists(whole.folder))
        QCOMPARE(whole.train(), QString());
    const QString name = QString("stopped at %1").arg(stoppedAt);
    QCOMPARE(runOf(name, more, stoppedAt).train(), QString());
    const RankRun resumed = runOf(name, more, 12);
    QCOMPARE(resumed.train(), QString());
    const auto wanted = whole.model();
    const auto model = resumed.model();
    QVERIFY(!wanted.empty());
    QCOMPARE(model.size(), wanted.size());
    for (const auto& [key, tensor] : wanted)
        QVERIFY2(torch::equal(tensor, model.at(key)), key.c_str());
}

void TstScriptSettings::secondStage_isInTheCheckpoint()
{
    const auto stageAt = [this](const QString& name, const std::string& more, int steps) {
        const RankRun run = runOf(name, more, steps);
        if (!run.train().isEmpty())
            return int64_t { -1 };
        const auto last = train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
        const auto saved = train::loadCheckpoint(*last);
        const auto found = saved->training.find("stage");
        return found == saved->training.end() ? 0 : found->second.item<int64_t>();
    };
    const std::string stages = kSecondStage + "stage_one_epochs: 1\n";
    QCOMPARE(stageAt("no second stage", "", 2), int64_t { 0 });
    QCOMPARE(stageAt("saved in the first", stages, 5), int64_t { 1 });
    QCOMPARE(stageAt("saved in the second", stages, 6), int64_t { 2 });
}

/// It took every step by its first optimizer, whatever the recipe said.
void TstScriptSettings::secondStage_beginsWhereAnOlderRunResumes()
{
    QCOMPARE(runOf("older", "", 8).train(), QString());
    const RankRun resumed = runOf("older", kSecondStage + "stage_one_epochs: 1\n", 12);
    QCOMPARE(resumed.train(), QString());
    const run::Snapshot snapshot = resumed.snapshot();
    const auto rates = curve(snapshot, "train/lr");
    QCOMPARE(rates.back().step, int64_t(12));
    for (const run::Point& rate : rates)
        QCOMPARE(rate.value, rate.step <= 8 ? 0.01 : 0.02);
    const std::string words = "epoch 2: 'SGD' is the optimizer from here on, at the learning rate "
                              "0.02 (stage_one_epochs is 1)";
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(),
        [&](const run::LogLine& line) { return line.text == words; }));
}

/// As upstream's script, which calls the schedule after each step: the optimizer's own rate is that
/// of its first step.
void TstScriptSettings::secondStage_goesOnWithTheSchedule()
{
    const RankRun run = runOf("scheduled",
        kSecondStage
            + "stage_one_epochs: 1\nnoam_annealing: "
              "!new:speechbrain.nnet.schedulers.NoamScheduler\n"
              "    lr_initial: 0.01\n    n_warmup_steps: 100\n",
        8);
    QCOMPARE(run.train(), QString());
    for (const run::Point& rate : curve(run.snapshot(), "train/lr")) {
        const double noam = 0.01 * static_cast<double>(rate.step - 1) / 100;
        const double wanted = rate.step == 1 ? 0.01 : rate.step == 6 ? 0.02 : noam;
        QVERIFY2(std::abs(rate.value - wanted) < 1e-12, qPrintable(QString::number(rate.step)));
    }
}

void TstScriptSettings::validSearchInterval_searchesNowAndThen()
{
    const RankRun run = runOf("interval", "valid_search_interval: 2\n", 15);
    QCOMPARE(run.train(), QString());
    const run::Snapshot snapshot = run.snapshot();
    QCOMPARE(curve(snapshot, "valid/loss").size(), size_t(3));
    QCOMPARE(curve(snapshot, "valid/WER").size(), size_t(1));
    QCOMPARE(curve(snapshot, "valid/WER").front().step, int64_t(10));
    QCOMPARE(snapshot.evaluations.size(), size_t(1));
    const auto accuracies = curve(snapshot, "valid/ACC");
    QCOMPARE(accuracies.size(), size_t(3));
    QCOMPARE(snapshot.checkpoints.size(), size_t(3));
    double best = 0;
    for (size_t i = 0; i < accuracies.size(); ++i) {
        QVERIFY(accuracies[i].value >= 0 && accuracies[i].value <= 100);
        QCOMPARE(snapshot.checkpoints[i].best, accuracies[i].value >= best);
        best = std::max(best, accuracies[i].value);
    }
}

EARWRIGHT_TEST(TstScriptSettings)
#include "tst_script_settings.moc"
