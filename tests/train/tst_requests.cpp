#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/asked.h"
#include "tests/train/rank_run.h"

#include <atomic>
#include <thread>

using namespace earwright;
using earwright::tests::Asked;
using earwright::tests::RankRun;

namespace {

constexpr double kRate = 0.05; ///< of the recipe

double rateAt(const run::Snapshot& snapshot, int64_t step)
{
    const auto found = snapshot.series.find("train/lr");
    if (found == snapshot.series.end())
        return 0;
    for (const run::Point& point : found->second.points()) {
        if (point.step == step)
            return point.value;
    }
    return 0;
}

std::vector<int64_t> savedSteps(const run::Snapshot& snapshot)
{
    std::vector<int64_t> steps;
    for (const run::CheckpointSaved& saved : snapshot.checkpoints)
        steps.push_back(saved.step);
    return steps;
}

} // namespace

/// What two ranks are asked for holds within a step, whatever they are at. Epochs have five steps.
class TstRequests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void learningRate_holdsFromTheNextStep_data();
    void learningRate_holdsFromTheNextStep();
    void checkpoint_isSaved_data();
    void checkpoint_isSaved();
    void stop_endsTheRun_data();
    void stop_endsTheRun();
    void pause_standsStillWhereItIs_data();
    void pause_standsStillWhereItIs();
    void pauseInAValidation_letsOthersWaitAtABarrier();
    void resume_isFromTheCheckpointOfRank0();
    void resumeAtTheStepLimit_trainsNoMore();
    void damagedCheckpoint_isToldByAResume();
    void resumeWithoutAWholeCheckpoint_isRefused();
    void stepLimitBeyondTheEpochs_leavesTheScheduleAsItIs();
    void inTheTest_isAnsweredThatNothingIsLeft_data();
    void inTheTest_isAnsweredThatNothingIsLeft();
    void testThatWasCutOff_isDoneOnce();

private:
    RankRun runOf(Asked& asked, const std::string& stepLimit = "8") const;

    QTemporaryDir m_folder;
    std::string m_recipe; ///< with a test split
};

void TstRequests::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml");
    QVERIFY(text);
    m_recipe = m_folder.filePath("recipe.yaml").toStdString();
    QVERIFY(writeFileAtomically(m_recipe, *text + "test_csv: !ref <data_folder>/train.csv\n"));
}

RankRun TstRequests::runOf(Asked& asked, const std::string& stepLimit) const
{
    const QString name = QString(QTest::currentTestFunction()) + " " + QTest::currentDataTag();
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = m_recipe,
        .overrides = { "--batch_size=4", "--optimizer_step_limit=" + stepLimit },
        .ranks = 2,
        .requests = asked.requests() };
}

void TstRequests::learningRate_holdsFromTheNextStep_data()
{
    QTest::addColumn<std::string>("phase");
    QTest::addColumn<int>("step");
    QTest::addColumn<int>("lastBefore");
    // For a restart the rate is in a checkpoint at once, besides those of the epochs' ends.
    QTest::addColumn<std::vector<int64_t>>("saved");
    using Steps = std::vector<int64_t>;
    QTest::newRow("preparation") << std::string("prepare") << 0 << 0 << Steps { 0, 5, 8 };
    // The ranks agree on it when they have the gradients of the step.
    QTest::newRow("step") << std::string("train") << 2 << 2 << Steps { 2, 5, 8 };
    QTest::newRow("validation") << std::string("validate") << 5 << 5 << Steps { 5, 5, 8 };
}

void TstRequests::learningRate_holdsFromTheNextStep()
{
    QFETCH(std::string, phase);
    QFETCH(int, step);
    QFETCH(int, lastBefore);
    QFETCH(std::vector<int64_t>, saved);
    Asked asked("set-lr", phase, step);
    const RankRun run = runOf(asked);
    QCOMPARE(run.train(), QString());
    const run::Snapshot snapshot = run.snapshot();
    for (int64_t i = 1; i <= 8; ++i)
        QCOMPARE(rateAt(snapshot, i), i <= lastBefore ? kRate : Asked::kRate);
    QCOMPARE(savedSteps(snapshot), saved);
}

void TstRequests::checkpoint_isSaved_data()
{
    QTest::addColumn<std::string>("phase");
    QTest::addColumn<int>("step");
    QTest::addColumn<int64_t>("saved"); // besides those at the ends of the epochs, 5 and 8
    QTest::newRow("preparation") << std::string("prepare") << 0 << int64_t(0);
    QTest::newRow("step") << std::string("train") << 2 << int64_t(2);
    QTest::newRow("validation") << std::string("validate") << 5 << int64_t(5);
}

void TstRequests::checkpoint_isSaved()
{
    QFETCH(std::string, phase);
    QFETCH(int, step);
    QFETCH(int64_t, saved);
    Asked asked("checkpoint", phase, step);
    const RankRun run = runOf(asked);
    QCOMPARE(run.train(), QString());
    QCOMPARE(savedSteps(run.snapshot()), (std::vector<int64_t> { saved, 5, 8 }));
}

void TstRequests::stop_endsTheRun_data()
{
    QTest::addColumn<std::string>("phase");
    QTest::addColumn<int>("step");
    QTest::addColumn<int64_t>("last");
    QTest::addColumn<std::vector<int64_t>>("saved");
    using Steps = std::vector<int64_t>;
    QTest::newRow("preparation") << std::string("prepare") << 0 << int64_t(0) << Steps {};
    QTest::newRow("step") << std::string("train") << 2 << int64_t(2) << Steps { 2 };
    QTest::newRow("validation") << std::string("validate") << 5 << int64_t(5) << Steps { 5 };
    QTest::newRow("test") << std::string("test") << 8 << int64_t(8) << Steps { 5, 8 };
}

void TstRequests::stop_endsTheRun()
{
    QFETCH(std::string, phase);
    QFETCH(int, step);
    QFETCH(int64_t, last);
    QFETCH(std::vector<int64_t>, saved);
    Asked asked("stop", phase, step);
    const RankRun run = runOf(asked);
    train::Outcome outcome = train::Outcome::Done;
    QCOMPARE(run.train(&outcome), QString());
    QCOMPARE(outcome, train::Outcome::Stopped);
    const run::Snapshot snapshot = run.snapshot();
    QCOMPARE(snapshot.step, last);
    QCOMPARE(savedSteps(snapshot), saved);
    QVERIFY(std::none_of(snapshot.evaluations.begin(), snapshot.evaluations.end(),
        [&phase](const auto& done) { return done.split == "test" || phase == "validate"; }));
}

void TstRequests::pause_standsStillWhereItIs_data()
{
    QTest::addColumn<std::string>("phase");
    QTest::addColumn<int>("step");
    QTest::addColumn<std::string>("place");
    QTest::newRow("preparation") << std::string("prepare") << 0 << std::string("prepare 0");
    QTest::newRow("step") << std::string("train") << 2 << std::string("pause 2");
    QTest::newRow("validation") << std::string("validate") << 5 << std::string("pause 5");
    QTest::newRow("test") << std::string("test") << 8 << std::string("pause 8");
}

void TstRequests::pause_standsStillWhereItIs()
{
    QFETCH(std::string, phase);
    QFETCH(int, step);
    QFETCH(std::string, place);
    Asked asked("pause", phase, step);
    const RankRun run = runOf(asked);
    train::Outcome outcome = train::Outcome::Stopped;
    QCOMPARE(run.train(&outcome), QString());
    QCOMPARE(outcome, train::Outcome::Done);
    QCOMPARE(asked.releasedAt(), place);
    QCOMPARE(run.snapshot().series.at("train/loss").points().size(), size_t(8));
}

/// Which has no time limit, as a collective has. Rank 0 stands still until the other one has waited
/// for a while.
void TstRequests::pauseInAValidation_letsOthersWaitAtABarrier()
{
    std::atomic<std::thread::id> main;
    std::atomic<distributed::Pulse*> other { nullptr };
    std::atomic<bool> isValidating { false };
    std::string waitsIn;
    Asked nothing("", "", 0);
    RankRun run = runOf(nothing, "5");
    run.joined = [&](const distributed::Group& group) {
        if (group.isMain())
            main = std::this_thread::get_id();
        else
            other = &group.pulse();
    };
    run.requests.at = [&](const std::string& phase, int64_t) {
        if (std::this_thread::get_id() == main.load())
            isValidating = isValidating || phase == "validate";
    };
    run.requests.pause = [&] {
        if (std::this_thread::get_id() != main.load() || !isValidating || !waitsIn.empty())
            return false;
        const distributed::Beat beat = other.load()->beat(100);
        if (beat.stuckSeconds > 0.2)
            waitsIn = beat.waitsIn;
        return waitsIn.empty();
    };
    QCOMPARE(run.train(), QString());
    QCOMPARE(waitsIn, std::string("the barrier 'evaluated'"));
}

/// Another host may see a newer one, or none yet.
void TstRequests::resume_isFromTheCheckpointOfRank0()
{
    Asked nothing("", "", 0);
    RankRun run = runOf(nothing, "2");
    QCOMPARE(run.train(), QString());
    RankRun further = runOf(nothing, "3");
    further.folder += " further";
    std::filesystem::copy(run.folder, further.folder, std::filesystem::copy_options::recursive);
    QCOMPARE(further.train(), QString());
    std::filesystem::copy(run.folder / "checkpoints", further.folder / "checkpoints",
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::skip_existing);
    const auto last = train::lastCheckpoint(further.folder / "checkpoints");
    QVERIFY(last && last->filename() == "step-3");
    std::filesystem::remove_all(further.folder / "events");
    run.folderOfOthers = further.folder;
    QCOMPARE(run.train(), QString());
    const auto events = run::EventReader(run::RunFolder { further.folder }.events(1)).readNew();
    QVERIFY(bool(events));
    std::vector<int64_t> resumed;
    for (const run::Event& event : *events) {
        if (const auto* started = std::get_if<run::RunStarted>(&event.payload))
            resumed.push_back(started->resumedStep);
    }
    QCOMPARE(resumed, std::vector<int64_t> { 2 });
}

/// But an epoch whose last step is done may have its validation still to come.
void TstRequests::resumeAtTheStepLimit_trainsNoMore()
{
    const auto validations = [](const RankRun& run) {
        std::vector<int64_t> epochs;
        for (const run::Evaluated& done : run.snapshot().evaluations) {
            if (done.split == "valid")
                epochs.push_back(done.epoch);
        }
        return epochs;
    };
    Asked stop("stop", "validate", 3);
    RankRun run = runOf(stop, "3");
    QCOMPARE(run.train(), QString());
    QCOMPARE(validations(run), std::vector<int64_t> {});
    Asked nothing("", "", 0);
    run.requests = nothing.requests();
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(run.train(), QString());
        QCOMPARE(validations(run), std::vector<int64_t> { 1 });
    }
}

/// Damaged checkpoints were passed over without a word.
void TstRequests::damagedCheckpoint_isToldByAResume()
{
    Asked nothing("", "", 0);
    RankRun run = runOf(nothing, "7"); // checkpoints of steps 5 and 7
    run.overrides.push_back("--avg_checkpoints=2");
    QCOMPARE(run.train(), QString());
    const std::filesystem::path last = *train::lastCheckpoint(run.folder / "checkpoints");
    QCOMPARE(last.filename().string(), std::string("step-7"));
    std::filesystem::resize_file(last / "training.safetensors", 10);
    std::filesystem::remove_all(run.folder / "events");
    QCOMPARE(run.train(), QString());
    const auto events = run::EventReader(run::RunFolder { run.folder }.events(0)).readNew();
    QVERIFY(bool(events));
    std::vector<std::string> told;
    std::vector<int64_t> resumed;
    for (const run::Event& event : *events) {
        if (const auto* message = std::get_if<run::Message>(&event.payload))
            told.push_back(message->text);
        if (const auto* started = std::get_if<run::RunStarted>(&event.payload))
            resumed.push_back(started->resumedStep);
    }
    QCOMPARE(resumed, std::vector<int64_t> { 5 });
    QVERIFY(std::ranges::any_of(told, [](const std::string& text) {
        return text.starts_with("passed over, as it is damaged: ")
            && text.find("step-7/training.safetensors") != std::string::npos;
    }));
}

/// It started from step 0 and ended as done.
void TstRequests::resumeWithoutAWholeCheckpoint_isRefused()
{
    Asked nothing("", "", 0);
    const RankRun run = runOf(nothing, "2");
    QCOMPARE(run.train(), QString());
    const std::filesystem::path last = *train::lastCheckpoint(run.folder / "checkpoints");
    std::filesystem::resize_file(last / "model.safetensors", 10);
    const QString error = run.train();
    QVERIFY2(error.contains("none of this run's checkpoints can be read: "), qPrintable(error));
    QVERIFY2(error.contains("to start from step 0"), qPrintable(error));
}

void TstRequests::stepLimitBeyondTheEpochs_leavesTheScheduleAsItIs()
{
    const std::string recipe = m_folder.filePath("schedule.yaml").toStdString();
    QVERIFY(writeFileAtomically(recipe,
        *readFile(m_recipe)
            + "lr_annealing: !new:earwright.schedulers.WarmupHoldDecay\n    warmup: 0.2\n    "
              "decay: "
              "0.4\n"));
    std::vector<std::vector<double>> rates;
    Asked nothing("", "", 0);
    for (const std::string limit : { "0", "1000" }) {
        RankRun run = runOf(nothing, limit);
        run.folder += limit;
        run.recipe = recipe;
        run.ranks = 1;
        run.overrides.push_back("--number_of_epochs=2");
        QCOMPARE(run.train(), QString());
        const run::Snapshot snapshot = run.snapshot();
        std::vector<double>& all = rates.emplace_back();
        for (int64_t step = 1; step <= 10; ++step)
            all.push_back(rateAt(snapshot, step));
    }
    QVERIFY(rates[0].front() < kRate && rates[0].back() < kRate);
    QCOMPARE(rates[1], rates[0]);
}

void TstRequests::inTheTest_isAnsweredThatNothingIsLeft_data()
{
    QTest::addColumn<std::string>("what");
    QTest::addColumn<std::string>("answer");
    QTest::newRow("checkpoint") << std::string("checkpoint") << std::string("nothing to save");
    QTest::newRow("learning rate") << std::string("set-lr") << std::string("no step is left");
}

void TstRequests::inTheTest_isAnsweredThatNothingIsLeft()
{
    QFETCH(std::string, what);
    QFETCH(std::string, answer);
    Asked asked(what, "test", 0);
    const RankRun run = runOf(asked, "3");
    QCOMPARE(run.train(), QString());
    const run::Snapshot snapshot = run.snapshot();
    QCOMPARE(savedSteps(snapshot), std::vector<int64_t> { 3 });
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(),
        [&answer](const auto& line) { return line.text.starts_with(answer); }));
}

/// Each attempt that comes to the test had another figure at the same step.
void TstRequests::testThatWasCutOff_isDoneOnce()
{
    const auto tests = [](const RankRun& run) {
        const std::vector<run::Evaluated> done = run.snapshot().evaluations;
        return std::count_if(done.begin(), done.end(),
            [](const run::Evaluated& one) { return one.split == "test"; });
    };
    Asked stop("stop", "test", 3);
    RankRun run = runOf(stop, "3");
    QCOMPARE(run.train(), QString());
    QCOMPARE(tests(run), 0);
    Asked nothing("", "", 0);
    run.requests = nothing.requests();
    for (run.attempt = 1; run.attempt < 3; ++run.attempt) {
        QCOMPARE(run.train(), QString());
        QCOMPARE(tests(run), 1);
    }
    // More steps are tested anew.
    RankRun more = runOf(nothing, "4");
    more.attempt = run.attempt;
    QCOMPARE(more.train(), QString());
    QCOMPARE(tests(more), 2);
}

EARWRIGHT_TEST(TstRequests)
#include "tst_requests.moc"
