#include "core/recipe/resolve.h"
#include "core/run/follower.h"
#include "core/run/hold.h"
#include "core/run/queue.h"
#include "core/run/run_folder.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"

#include <csignal>
#include <ctime>
#include <fstream>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace earwright;
using namespace earwright::run;

namespace {

plan::Plan smallPlan()
{
    plan::Plan plan;
    plan.name = "digits";
    plan.recipeFile = "configs/digits.yaml";
    plan.recipeText = "lr: 0.1 # a comment\nrate: !ref <lr>\n";
    plan.overrides = { "--lr=0.2" };
    plan.setRecipe(recipe::resolve(plan.recipeText, plan.recipeFile, {}).root, {});
    plan.devices = { "cpu", "cpu" };
    plan.options.seed = 7;
    return plan;
}

Lock ownLock()
{
    return { ::getpid(), processStartTicks(::getpid()), "/tmp/earwright.sock", hostName() };
}

void logEvents(const RunFolder& folder, int64_t rank, const std::vector<Event>& events)
{
    writeBytes(folder.events(rank) / eventFileName(0), logBytes(events));
}

} // namespace

class TstRunFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(m_dir->isValid());
        m_root = m_dir->path().toStdString();
    }

    void plan_comesBackFromItsFolder()
    {
        const auto folder = createRunFolder(m_root / "run", smallPlan());
        QVERIFY2(bool(folder), folder ? "" : folder.error().message.c_str());
        for (const char* name : { "recipe.yaml", "resolved.yaml", "plan.json", "versions.json",
                 "events", "checkpoints" })
            QVERIFY2(std::filesystem::exists(m_root / "run" / name), name);
        const auto plan = readPlan(*folder);
        QVERIFY2(bool(plan), plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->name, std::string("digits"));
        QCOMPARE(plan->recipeText, smallPlan().recipeText);
        QCOMPARE(plan->devices, smallPlan().devices);
        QCOMPARE(std::filesystem::path(plan->recipeFile),
            std::filesystem::absolute(smallPlan().recipeFile));
        QCOMPARE(std::filesystem::path(plan->workingFolder), std::filesystem::current_path());
        QCOMPARE(plan->options.seed, int64_t { 7 });
        QCOMPARE(recipe::asString(*recipe::find(*plan->recipe, "rate")), std::string("0.1"));
    }

    void folderOfAnotherRun_isRefused()
    {
        QVERIFY(bool(createRunFolder(m_root / "run", smallPlan())));
        const auto again = createRunFolder(m_root / "run", smallPlan());
        QVERIFY(!again);
        QVERIFY(QString::fromStdString(again.error().message).contains("holds a run already"));
    }

    void folderForTwoRunsAtOnce_isOfOne()
    {
        std::vector<std::thread> threads;
        std::vector<std::string> made(8);
        for (size_t i = 0; i < made.size(); ++i) {
            threads.emplace_back([this, i, &made] {
                plan::Plan plan = smallPlan();
                plan.name = std::to_string(i);
                if (createRunFolder(m_root / "run", plan))
                    made[i] = plan.name;
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        std::erase(made, std::string());
        QCOMPARE(made.size(), size_t { 1 });
        QCOMPARE(readPlan({ m_root / "run" })->name, made.front());
    }

    void folderWithoutPlan_isNoRun()
    {
        const auto plan = readPlan({ m_root });
        QVERIFY(!plan);
        QVERIFY(QString::fromStdString(plan.error().message).contains("is no run folder"));
    }

    void freshRunPath_isNeverTaken()
    {
        const std::filesystem::path first = freshRunPath(m_root, "a/b");
        QVERIFY(QRegularExpression("^a_b-\\d{8}-\\d{6}$")
                    .match(QString::fromStdString(first.filename()))
                    .hasMatch());
        std::filesystem::create_directory(first);
        QVERIFY(!std::filesystem::exists(freshRunPath(m_root, "a/b")));
        QCOMPARE(freshRunPath(m_root, "..").parent_path(), m_root);
    }

    void runsRoot_isThatOfTheEnvironment()
    {
        qputenv("EARWRIGHT_RUNS_DIR", "/somewhere/runs");
        QCOMPARE(defaultRunsRoot(), std::filesystem::path("/somewhere/runs"));
        qunsetenv("EARWRIGHT_RUNS_DIR");
        QCOMPARE(defaultRunsRoot(), std::filesystem::current_path() / "runs");
    }

    void lock_livesWithItsProcess()
    {
        const RunFolder folder { m_root };
        QVERIFY(!liveLock(folder));
        QVERIFY(bool(writeLock(folder, ownLock())));
        QVERIFY(liveLock(folder).has_value());
        QCOMPARE(liveLock(folder)->socket, std::string("/tmp/earwright.sock"));
        Lock reusedPid = ownLock();
        reusedPid.processStartTicks += 1;
        QVERIFY(bool(writeLock(folder, reusedPid)));
        QVERIFY(!liveLock(folder));
        QVERIFY(readLock(folder).has_value());
        removeLock(folder);
        QVERIFY(!readLock(folder));
    }

    /// Its pid and start time may be those of another process now.
    void lockOfAnEarlierBoot_isDeadAndResumable()
    {
        const RunFolder folder { m_root };
        logEvents(folder, 0, { { 10, RunStarted {} }, { 11, PhaseChanged { "train", 1, 0 } } });
        Lock lock = ownLock();
        QVERIFY(!lock.bootId.empty());
        lock.bootId = "00000000-0000-0000-0000-000000000000";
        QVERIFY(bool(writeLock(folder, lock)));
        QVERIFY(!liveLock(folder));
        Follower follower(folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Interrupted);
        Lock next = ownLock();
        next.pid = 1;
        QVERIFY(bool(writeLock(folder, next)));
    }

    /// Exported while it trained: nobody goes on with it here.
    void capsuleWithoutAnEnd_isStopped()
    {
        const RunFolder folder { m_root };
        const double now = static_cast<double>(std::time(nullptr));
        logEvents(folder, 0, { { now, RunStarted {} }, { now, PhaseChanged { "train", 1, 0 } } });
        Follower follower(folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Running);
        writeBytes(m_root / "capsule.json", "{}");
        QVERIFY(observedState(folder, follower.snapshot()) == State::Stopped);
    }

    void runWithoutLock_isInterruptedBySilenceAndByRestart()
    {
        const auto state = [](double lastTime, double bootTime) {
            return stateWithoutLock(State::Running, lastTime, 10000, bootTime);
        };
        QVERIFY(state(9990, 5000) == State::Running);
        QVERIFY(state(9800, 5000) == State::Interrupted);
        QVERIFY(state(9990, 9995) == State::Interrupted); // the machine was restarted since
        QVERIFY(state(9990, 0) == State::Running); // nothing is known of its start
    }

    void hold_isThatOfItsLastHolder()
    {
        using namespace std::chrono_literals;
        const RunFolder folder { m_root };
        int ready[2] = {};
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) { // a rank, which outlives its supervisor
            auto inherited = holdRun(folder, 0ms);
            (void)!::write(ready[1], inherited ? "y" : "n", 1);
            ::pause();
        }
        char answer = 0;
        QCOMPARE(::read(ready[0], &answer, 1), ssize_t { 1 });
        QCOMPARE(answer, 'y');
        const auto refused = holdRun(folder, 0ms);
        QVERIFY(!refused);
        QVERIFY(QString::fromStdString(refused.error().message).contains("is held by"));
        ::kill(child, SIGKILL);
        QVERIFY(bool(holdRun(folder, 5s)));
        ::waitpid(child, nullptr, 0);
    }

    void secondSupervisor_isRefused()
    {
        const RunFolder folder { m_root };
        QVERIFY(bool(writeLock(folder, ownLock())));
        Lock other = ownLock();
        other.pid = 1;
        const auto status = writeLock(folder, other);
        QVERIFY(!status);
        QVERIFY(QString::fromStdString(status.error().message)
                    .contains("is running already, supervised by process"));
    }

    void processStartTicks_areZeroWithoutProcess()
    {
        QVERIFY(processStartTicks(::getpid()) > 0);
        QCOMPARE(processStartTicks(0), int64_t { 0 });
        QCOMPARE(processStartTicks(1 << 30), int64_t { 0 });
    }

    void follower_mergesRanksAsTheyAppear()
    {
        const RunFolder folder { m_root };
        Follower follower(folder);
        auto changed = follower.poll();
        QVERIFY(bool(changed));
        logEvents(folder, 0,
            { { 10, RunStarted { .name = "a" } }, { 30, Message { "info", "second" } } });
        logEvents(folder, 1, { { 20, Message { "info", "first" } } });
        changed = follower.poll();
        QVERIFY(changed && *changed);
        QCOMPARE(follower.snapshot().log.size(), size_t { 2 });
        QCOMPARE(follower.snapshot().log[0].text, std::string("first"));
        changed = follower.poll();
        QVERIFY(changed && !*changed);
        logEvents(folder, -1, { { 40, Finished { "done", "", -1 } } });
        changed = follower.poll();
        QVERIFY(changed && *changed);
        QVERIFY(follower.snapshot().state == State::Done);
    }

    void follower_tellsDamageAndItsEnd()
    {
        const RunFolder folder { m_root };
        logEvents(folder, 0, { { 10, Scalar { "train/loss", 1, 0.5 } } });
        appendBytes(folder.events(0) / eventFileName(0), std::string(12, 'x'));
        Follower follower(folder);
        QVERIFY(bool(follower.poll()));
        QCOMPARE(follower.snapshot().series.at("train/loss").points().size(), size_t { 1 });
        appendBytes(folder.events(0) / eventFileName(0),
            logBytes({ { 11, Scalar { "train/loss", 2, 0.5 } } }));
        QVERIFY(bool(follower.poll()));
        QCOMPARE(follower.snapshot().series.at("train/loss").points().size(), size_t { 2 });
        QCOMPARE(follower.snapshot().damage.size(), size_t { 1 });
        // Once while the damage has no end, and once when it has.
        QCOMPARE(follower.snapshot().log.size(), size_t { 2 });
        const auto changed = follower.poll();
        QVERIFY(changed && !*changed);
    }

    /// One flipped byte: its own record is lost, whichever it is, and the run is no shorter.
    void oneBadByte_shortensNoRun()
    {
        const RunFolder folder { m_root };
        const std::vector<Event> first { { 10, RunStarted { .name = "a" } },
            { 11, Scalar { "train/loss", 1, 0.5 } }, { 12, Scalar { "train/loss", 2, 0.5 } },
            { 13, Scalar { "train/loss", 3, 0.5 } } };
        const std::vector<Event> second {
            { 20, RunStarted { .name = "a", .attempt = 1, .resumedStep = 1 } },
            { 21, Scalar { "train/loss", 2, 0.25 } }, { 22, Scalar { "train/loss", 3, 0.25 } },
            { 23, Scalar { "train/loss", 4, 0.25 } }
        };
        const std::string bytes[] = { logBytes(first), logBytes(second) };
        const auto path = [&](int64_t n) { return folder.events(0) / eventFileName(n); };
        for (int64_t hit = 0; hit < 2; ++hit) {
            for (size_t at = 0; at < bytes[hit].size(); ++at) {
                std::string damaged = bytes[hit];
                damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
                writeBytes(path(0), hit == 0 ? damaged : bytes[0]);
                writeBytes(path(1), hit == 1 ? damaged : bytes[1]);
                Follower follower(folder);
                QVERIFY(bool(follower.poll()));
                const Snapshot& s = follower.snapshot();
                QCOMPARE(s.damage.size(), size_t { 1 });
                QCOMPARE(s.log.size(), size_t { 1 });
                const std::vector<Point>& points = s.series.at("train/loss").points();
                QVERIFY2(points.size() >= 3, std::to_string(at).c_str());
                QVERIFY(s.step >= 3);
                for (size_t i = 1; i < points.size(); ++i) // no attempt is drawn over another
                    QVERIFY2(points[i - 1].step < points[i].step, std::to_string(at).c_str());
            }
        }
    }

    void lostLastWord_isReadInTheResult()
    {
        const RunFolder folder { m_root };
        const auto now = double(std::time(nullptr));
        const std::vector<Event> events { { now - 500, RunStarted { .name = "a" } },
            { now - 400, Finished { "done", "", -1 } } };
        logEvents(folder, -1, events);
        Follower whole(folder);
        QVERIFY(bool(whole.poll()));
        QVERIFY(bool(writeResult(folder, whole.snapshot())));
        std::string bytes = logBytes(events);
        bytes.back() = static_cast<char>(bytes.back() ^ 1);
        writeBytes(folder.events(-1) / eventFileName(0), bytes);
        Follower follower(folder);
        QVERIFY(bool(follower.poll()));
        QCOMPARE(follower.snapshot().damage.size(), size_t { 1 });
        QVERIFY(follower.snapshot().state == State::Done);
    }

    void state_combinesEventsAndLock()
    {
        const RunFolder folder { m_root };
        Follower follower(folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Queued);
        QVERIFY(bool(writeLock(folder, ownLock())));
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Starting);
        logEvents(folder, 0, { { 10, RunStarted {} }, { 11, PhaseChanged { "train", 1, 0 } } });
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Running);
        Lock dead = ownLock();
        dead.processStartTicks += 1;
        QVERIFY(bool(writeLock(folder, dead)));
        auto changed = follower.poll();
        QVERIFY(changed && *changed);
        QVERIFY(follower.snapshot().state == State::Interrupted);
        removeLock(folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Interrupted); // silent for long
        dead.host = "elsewhere";
        QVERIFY(bool(writeLock(folder, dead)));
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Running); // nobody here can tell
    }

    void runWithoutSupervisor_isRunningWhileItLogs()
    {
        const RunFolder folder { m_root };
        logEvents(folder, 0, { { double(std::time(nullptr)), PhaseChanged { "train", 1, 0 } } });
        Follower follower(folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.snapshot().state == State::Running);
    }

    void list_readsResultsInsteadOfEvents()
    {
        for (int i = 0; i < 3; ++i) {
            const auto folder = createRunFolder(m_root / std::to_string(i), smallPlan());
            QVERIFY(bool(folder));
            logEvents(*folder, 0,
                { { 1000.0 + i,
                      RunStarted { .name = "digits", .precision = "bf16", .devices = { "cpu" } } },
                    { 1001.0 + i,
                        Evaluated {
                            "test", 1, 20, 0.1, 11.5, 4.5, "", "CER", { "step-20", "step-10" } } },
                    { 1001.0 + i, Evaluated { "test-other", 1, 20, 0.2, 30, 9, "" } },
                    { 1002.0 + i, Finished { "done", "", -1 } } });
            Follower follower(*folder);
            QVERIFY(bool(follower.poll()));
            QVERIFY(bool(writeResult(*folder, follower.snapshot())));
            std::filesystem::remove_all(folder->path / "events"); // they are not needed any more
        }
        std::filesystem::create_directory(m_root / "no run");
        const std::vector<RunSummary> runs = listed();
        QCOMPARE(runs.size(), size_t { 3 });
        QCOMPARE(runs[0].startTime, 1002.0); // newest first
        QVERIFY(runs[0].state == State::Done);
        QCOMPARE(runs[0].precision, std::string("bf16"));
        QCOMPARE(runs[0].testWer, 11.5);
        QCOMPARE(runs[0].testRate, std::string("CER"));
        QCOMPARE(runs[0].testCer, 4.5);
        QCOMPARE(runs[0].testCheckpoints, (std::vector<std::string> { "step-20", "step-10" }));
        QVERIFY(listRuns(m_root / "none")->empty());
    }

    void rootThatCannotBeRead_isAnErrorNotAnEmptyList()
    {
        std::ofstream(m_root / "file") << "no folder";
        const auto runs = listRuns(m_root / "file");
        QVERIFY(!runs);
        QCOMPARE(QString::fromStdString(runs.error().message),
            QStringLiteral("cannot list the runs of '%1/file': Not a directory")
                .arg(QString::fromStdString(m_root.string())));
    }

    void list_hasWhoIsAtWorkThenTheQueueThenTheNewest()
    {
        const auto make = [](const std::filesystem::path& path) {
            const auto folder = createRunFolder(path, smallPlan());
            if (!folder)
                qFatal("%s", folder.error().message.c_str());
            return *folder;
        };
        const auto logStart = [](const RunFolder& folder, double time) {
            logEvents(folder, 0, { { time, RunStarted { .devices = { "cpu" } } } });
        };
        const RunFolder working = make(m_root / "working");
        logStart(working, 1000);
        QVERIFY(bool(writeLock(working, ownLock())));
        for (const char* name : { "old", "new" }) // nobody is at work on them
            logStart(make(m_root / name), name == std::string("old") ? 2000 : 3000);
        const RunFolder waiting = make(m_root / "waiting");
        QTemporaryDir elsewhere;
        const RunFolder stranger
            = make(std::filesystem::path(elsewhere.path().toStdString()) / "stranger");
        QVERIFY(bool(editQueue(m_root, [&](Queue& queue) {
            queue.runs = { std::filesystem::canonical(waiting.path),
                std::filesystem::canonical(m_root / "old"), stranger.path, "/nowhere/gone" };
            return Status(Done {});
        })));
        std::vector<std::string> names;
        for (const RunSummary& run : listed())
            names.push_back(run.folder.path.filename().string() + " " + std::to_string(run.place));
        QCOMPARE(names,
            (std::vector<std::string> {
                "working 0", "waiting 1", "old 2", "stranger 3", "new 0" }));
    }

    void runThatNeverStarted_isListedAsItWasPlanned()
    {
        plan::Plan plan = smallPlan();
        plan.devices = { "cpu", "cpu" };
        plan.options.precision = "bf16";
        QVERIFY(bool(createRunFolder(m_root / "run", plan)));
        const RunSummary run = listed().at(0);
        QVERIFY(run.state == State::Queued);
        QCOMPARE(run.devices, plan.devices);
        QCOMPARE(run.precision, plan.options.precision);
        QVERIFY(std::abs(run.startTime - static_cast<double>(std::time(nullptr))) < 60);
    }

    void resumedRun_forgetsItsResult()
    {
        const auto folder = createRunFolder(m_root / "run", smallPlan());
        QVERIFY(bool(folder));
        logEvents(
            *folder, 0, { { 1000, RunStarted {} }, { 1001, Finished { "stopped", "", -1 } } });
        Follower follower(*folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(bool(writeResult(*folder, follower.snapshot())));
        QVERIFY(bool(writeLock(*folder, ownLock())));
        QVERIFY(!std::filesystem::exists(folder->path / "result.json"));
        writeBytes(folder->events(0) / eventFileName(1),
            logBytes({ { 2000, RunStarted { .attempt = 1 } } }));
        QVERIFY(listed()[0].state == State::Starting);
    }

private:
    std::vector<RunSummary> listed() const
    {
        const auto runs = listRuns(m_root);
        if (!runs)
            qFatal("%s", runs.error().message.c_str());
        return *runs;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_root;
};

EARWRIGHT_TEST(TstRunFolder)
#include "tst_run_folder.moc"
