#include "core/engine/rank_main.h"

#include "core/distributed/group.h"
#include "core/distributed/watch.h"
#include "core/model/deterministic.h"
#include "core/train/cpu_memory.h"
#include "core/train/trainer.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace earwright::engine {

namespace {

using distributed::Failure;

constexpr double kBytesPerMb = 1024.0 * 1024.0; // as bucket_cap_mb counts them

bool isSupervised()
{
    return std::getenv("EARWRIGHT_SUPERVISED") != nullptr;
}

/// The rank's event log, once it is open: another thread may have to write its last line.
using Log = std::atomic<run::EventWriter*>;

/// Leaves with the failure as the last line of the rank's log and of its events. Never waits for
/// the main thread, which may hang.
[[noreturn]] void leave(const Log& log, const Failure& failure)
{
    const std::string text = distributed::describe(failure);
    std::cerr << failure.detail << text << std::endl;
    if (run::EventWriter* events = log) {
        events->write({ .payload = run::Message { "error", text } });
        if (!isSupervised()) // else the supervisor has the last word
            events->write({ .payload = run::Finished { "failed", text, failure.rank } });
        events->flush();
    }
    std::_Exit(kFailed);
}

struct Events {
    std::unique_ptr<run::EventWriter> writer;
    Log log { nullptr };
};

volatile std::sig_atomic_t toldToEnd = 0;

/// Signals to the whole group are the supervisor's to answer; where that one is killed, the keeper
/// asks the ranks to stop. Other launchers end the ranks by SIGTERM when one has failed: they say
/// why and leave.
void settleSignals()
{
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    if (isSupervised())
        std::signal(SIGTERM, SIG_IGN);
    else
        std::signal(SIGTERM, [](int) { toldToEnd = 1; });
}

c10::Device deviceOf(const plan::Plan& plan, const distributed::Rendezvous& rendezvous)
{
    const size_t index
        = std::min(static_cast<size_t>(rendezvous.localRank), plan.devices.size() - 1);
    return c10::Device(plan.devices[index]);
}

/// The run's relative paths count from where it was planned. Where that folder cannot be entered
/// they are to lead nowhere, not into another folder with files of the same names: then the result
/// is what to say of a failure.
std::string enterWorkingFolder(const run::RunFolder& folder, const plan::Plan& plan)
{
    if (plan.workingFolder.empty())
        return {};
    std::error_code problem;
    std::filesystem::current_path(plan.workingFolder, problem);
    if (!problem)
        return {};
    std::error_code ignored;
    std::filesystem::current_path(folder.log(0).parent_path(), ignored);
    return "; relative paths of this run count from '" + plan.workingFolder
        + "', where it was planned, and that folder cannot be entered: " + problem.message();
}

/// A connection that broke is mostly the echo of another rank's end.
bool mayBeEcho(const std::string& cause)
{
    for (const char* sign : { "gloo", "NCCL", "Connection", "socket", "Socket" }) {
        if (cause.find(sign) != std::string::npos)
            return true;
    }
    return false;
}

int64_t attemptOf(const run::RunFolder& folder, distributed::Group& group)
{
    return std::stoll(group.runOnMain("attempt", [&] {
        int64_t count = 0;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(folder.events(0), none))
            count += entry.path().filename().string().starts_with("events.") ? 1 : 0;
        return std::to_string(count);
    }));
}

Result<train::Outcome> trainRank(const run::RunFolder& folder, const plan::Plan& plan,
    const distributed::Rendezvous& rendezvous, distributed::Group& group, distributed::Watch& watch,
    run::EventWriter& events, int64_t attempt)
{
    const train::Requests requests { .stop = [&watch] { return watch.stopRequested(); },
        .checkpoint = [&watch] { return watch.takeCheckpointRequest(); },
        .pause = [&watch] { return watch.pauseRequested(); },
        .learningRate = [&watch] { return watch.takeLearningRate(); },
        .at = [&group](const std::string& phase, int64_t step) { group.pulse().at(phase, step); } };
    auto trainer = train::Trainer::make(
        { plan, folder, group, events, requests, deviceOf(plan, rendezvous), attempt });
    if (!trainer)
        return trainer.error();
    return (*trainer)->run();
}

/// Joins the others and trains; the exit code, or why not.
Result<ExitCode> joinAndTrain(const run::RunFolder& folder, const plan::Plan& plan,
    const distributed::Rendezvous& rendezvous, std::shared_ptr<distributed::Pulse> pulse,
    distributed::Watch& watch, Events& events)
{
    distributed::Group group(rendezvous, deviceOf(plan, rendezvous), std::move(pulse));
    const int64_t attempt = attemptOf(folder, group);
    auto opened = run::EventWriter::open(folder.events(rendezvous.rank), attempt);
    if (!opened)
        return opened.error();
    events.writer = std::move(*opened);
    events.log = events.writer.get();
    const Result<train::Outcome> outcome
        = trainRank(folder, plan, rendezvous, group, watch, *events.writer, attempt);
    if (!outcome)
        return outcome.error();
    const ExitCode code = *outcome == train::Outcome::Done ? kDone : kStopped;
    watch.expectEnd(code);
    group.barrier("end");
    if (!isSupervised() && group.isMain())
        events.writer->write({ .payload
            = run::Finished { *outcome == train::Outcome::Done ? "done" : "stopped", "", -1 } });
    events.writer->flush();
    group.leave();
    return code;
}

int runWatched(
    const run::RunFolder& folder, const plan::Plan& plan, const distributed::Rendezvous& rendezvous)
{
    const std::string noFolder = enterWorkingFolder(folder, plan);
    c10::intrusive_ptr<c10d::Store> served;
    if (!rendezvous.storeIsElsewhere && rendezvous.rank == 0)
        served = distributed::makeStore(rendezvous.masterAddress, rendezvous.masterPort, true);
    Events events;
    const auto pulse = std::make_shared<distributed::Pulse>();
    distributed::Watch watch(rendezvous, *pulse,
        { .heartbeatTimeoutSeconds = plan.options.heartbeatTimeout,
            .observesOthers = !isSupervised(),
            .endRequested = [] { return toldToEnd != 0; } },
        [&events](const Failure& failure) { leave(events.log, failure); });
    std::string cause;
    bool echo = false;
    try {
        const Result<ExitCode> code = joinAndTrain(folder, plan, rendezvous, pulse, watch, events);
        if (code) {
            if (served)
                watch.waitForOthersToEnd();
            return *code;
        }
        cause = code.error().message + noFolder;
    } catch (const c10::Error& problem) {
        cause = problem.what_without_backtrace();
        std::cerr << problem.what() << std::endl; // the whole of it goes to the rank's log
        echo = rendezvous.worldSize > 1 && mayBeEcho(problem.what());
    } catch (const std::exception& problem) {
        cause = problem.what();
        const bool isEcho = dynamic_cast<const distributed::Echo*>(&problem) != nullptr;
        echo = rendezvous.worldSize > 1 && (isEcho || mayBeEcho(cause));
    }
    leave(events.log, watch.publish(cause, echo));
}

} // namespace

int threadsOf(int64_t perRank, int64_t ranksHere)
{
    if (perRank > 0)
        return static_cast<int>(perRank);
    const char* given = std::getenv("OMP_NUM_THREADS");
    if (const int count = given ? std::atoi(given) : 0; count > 0)
        return count;
    const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
    return static_cast<int>(std::max<int64_t>(1, cores / ranksHere));
}

int runRank(const run::RunFolder& given)
{
    settleSignals();
    const run::RunFolder folder { std::filesystem::absolute(given.path) };
    const Result<plan::Plan> plan = run::readPlan(folder);
    const Result<distributed::Rendezvous> rendezvous = distributed::rendezvousFromEnvironment();
    if (!plan || !rendezvous) {
        std::cerr << (plan ? rendezvous.error() : plan.error()).message << std::endl;
        return plan ? kUsage : kFailed;
    }
    at::set_num_threads(threadsOf(plan->options.threadsPerRank, rendezvous->localWorldSize));
    if (plan->options.deterministic)
        model::makeDeterministic();
    at::globalContext().setSDPUseCuDNN(plan->options.enableCudnnSdp);
    if (deviceOf(*plan, *rendezvous).is_cpu() && plan->options.cpuMemoryLimitMb > 0)
        train::limitCpuMemory(static_cast<int64_t>(plan->options.cpuMemoryLimitMb * kBytesPerMb));
    try {
        return runWatched(folder, *plan, *rendezvous);
    } catch (const std::exception& problem) {
        std::cerr << "rank " << rendezvous->rank << " could not join the run: " << problem.what()
                  << std::endl;
        return kFailed;
    }
}

} // namespace earwright::engine
