#include <QTemporaryDir>
#include <QTest>

#include "core/train/inspect.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

constexpr int kJointSteps = 8; // of which an epoch has five

double noamRate(double peak, double warmup, int64_t step)
{
    return peak * static_cast<double>(step - 1) / warmup;
}

} // namespace

/// CTC and attention on a pretrained encoder, as upstream's train_with_wav2vect.py trains it.
class TstPretrainedJoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void bothSchedules_setTheirRateAfterEveryStep();
    void secondStage_isOfTheOtherLayersAlone();
    void run_isResumed_data();
    void run_isResumed();
    void frozenEncoder_leavesTheOthersTheirOptimizer();
    void inspection_feedsTheTransformerFromTheEncoder();

private:
    RankRun runOf(
        const QString& name, int steps, const std::vector<std::string>& overrides = {}) const;
    train::Checkpoint lastOf(const RankRun& run) const;

    QTemporaryDir m_folder;
};

void TstPretrainedJoint::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
}

RankRun TstPretrainedJoint::runOf(
    const QString& name, int steps, const std::vector<std::string>& overrides) const
{
    RankRun run { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = EARWRIGHT_CASES_DIR "/train/pretrained_joint.yaml",
        .overrides = { "--wav2vec2_hub=" EARWRIGHT_CASES_DIR "/model/hub/ctc",
            "--optimizer_step_limit=" + std::to_string(steps) } };
    run.overrides.insert(run.overrides.end(), overrides.begin(), overrides.end());
    return run;
}

train::Checkpoint TstPretrainedJoint::lastOf(const RankRun& run) const
{
    const auto last = train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
    auto saved = last ? train::loadCheckpoint(*last)
                      : Result<train::Checkpoint>(Error { "no checkpoint" });
    if (!saved)
        qFatal("%s", saved.error().message.c_str());
    return std::move(*saved);
}

/// The second stage's optimizer has its own rate for a step.
void TstPretrainedJoint::bothSchedules_setTheirRateAfterEveryStep()
{
    const RankRun run = runOf("rates", kJointSteps);
    QCOMPARE(run.train(), QString());
    const run::Snapshot snapshot = run.snapshot();
    const auto rates = snapshot.series.at("train/lr").points();
    const auto ofEncoder = snapshot.series.at("train/lr_wav2vec").points();
    QCOMPARE(rates.size(), size_t(kJointSteps));
    QCOMPARE(ofEncoder.size(), size_t(kJointSteps));
    for (const run::Point& rate : ofEncoder)
        QVERIFY2(rate.step == 1 || std::abs(rate.value - noamRate(0.002, 50, rate.step)) < 1e-12,
            qPrintable(QString::number(rate.step)));
    for (const run::Point& rate : rates) {
        const double wanted = rate.step == 6 ? 0.02 : noamRate(0.01, 100, rate.step);
        QVERIFY2(rate.step == 1 || std::abs(rate.value - wanted) < 1e-12,
            qPrintable(QString::number(rate.step)));
    }
}

void TstPretrainedJoint::secondStage_isOfTheOtherLayersAlone()
{
    const RankRun run = runOf("stages", kJointSteps);
    QCOMPARE(run.train(), QString());
    const auto training = lastOf(run).training;
    QVERIFY(training.contains("optimizer.0.momentum_buffer"));
    QVERIFY(!training.contains("optimizer.0.exp_avg"));
    QCOMPARE(training.at("encoder.optimizer.0.step").item<double>(), double(kJointSteps));
    int64_t buffers = 0;
    for (const auto& [name, tensor] : training)
        buffers += name.ends_with(".momentum_buffer") ? tensor.numel() : 0;
    int64_t others = 0;
    for (const auto& [name, tensor] : lastOf(run).model)
        others += name.starts_with("wav2vec2.") ? 0 : tensor.numel();
    QVERIFY(buffers > 0);
    QVERIFY(buffers <= others);
}

void TstPretrainedJoint::run_isResumed_data()
{
    QTest::addColumn<int>("stoppedAt");
    QTest::newRow("in the first stage") << 3;
    QTest::newRow("between the stages") << 5;
    QTest::newRow("in the second stage") << 8;
}

void TstPretrainedJoint::run_isResumed()
{
    QFETCH(int, stoppedAt);
    const RankRun whole = runOf("whole", 12);
    if (!std::filesystem::exists(whole.folder))
        QCOMPARE(whole.train(), QString());
    const QString name = QString("stopped at %1").arg(stoppedAt);
    QCOMPARE(runOf(name, stoppedAt).train(), QString());
    const RankRun resumed = runOf(name, 12);
    QCOMPARE(resumed.train(), QString());
    const auto wanted = whole.model();
    const auto found = resumed.model();
    QVERIFY(!wanted.empty());
    for (const auto& [key, tensor] : wanted)
        QVERIFY2(torch::equal(tensor, found.at(key)), key.c_str());
}

void TstPretrainedJoint::frozenEncoder_leavesTheOthersTheirOptimizer()
{
    const RankRun run = runOf("frozen", 4, { "--freeze_wav2vec=True" });
    QCOMPARE(run.train(), QString());
    const auto training = lastOf(run).training;
    QCOMPARE(training.at("optimizer.0.step").item<double>(), 4.0);
    for (const auto& [name, tensor] : training)
        QVERIFY2(!name.starts_with("encoder."), name.c_str());
}

void TstPretrainedJoint::inspection_feedsTheTransformerFromTheEncoder()
{
    std::string errors;
    const plan::Plan plan = runOf("inspected", 2).plan(errors);
    QCOMPARE(errors, std::string());
    QCOMPARE(plan.options.task, std::string("ctc_attention"));
    const auto inspected = train::inspect(plan, { .batch = train::BatchSize {} });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    QVERIFY(!inspected->error);
    QCOMPARE(inspected->layers.front().key, std::string("wav2vec2"));
    QCOMPARE(inspected->layers.front().input.size(), size_t(2)); // the wave
    QCOMPARE(inspected->layers[1].key, std::string("Transformer"));
    QCOMPARE(inspected->layers[1].input.back(), int64_t(16));
}

EARWRIGHT_TEST(TstPretrainedJoint)
#include "tst_pretrained_joint.moc"
