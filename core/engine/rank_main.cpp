#include "core/engine/rank_main.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/distributed/group.h"
#include "core/distributed/watch.h"
#include "core/engine/device_failure.h"
#include "core/engine/last_words.h"
#include "core/engine/machine_probe.h"
#include "core/engine/nvml.h"
#include "core/engine/resume.h"
#include "core/model/deterministic.h"
#include "core/run/store_secret.h"
#include "core/run/store_server.h"
#include "core/train/cpu_memory.h"
#include "core/train/trainer.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sys/resource.h>
#include <thread>

namespace earwright::engine {

namespace {

using distributed::Failure;

constexpr double kBytesPerMb = 1024.0 * 1024.0; // as bucket_cap_mb counts them

bool isSupervised()
{
    return std::getenv(distributed::kStoreVariable) != nullptr;
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
/// why and leave. They answer Ctrl-C themselves; a second one of either kind ends the rank.
void settleSignals()
{
    std::signal(SIGPIPE, SIG_IGN);
    if (isSupervised()) {
        std::signal(SIGINT, SIG_IGN);
        std::signal(SIGTERM, SIG_IGN);
        return;
    }
    std::signal(SIGINT, [](int) { std::signal(SIGINT, SIG_DFL); });
    std::signal(SIGTERM, [](int) {
        toldToEnd = 1;
        std::signal(SIGTERM, SIG_DFL);
    });
}

/// Who connects to the port of Gloo and stays there costs this rank a descriptor.
void allowManyDescriptors()
{
    constexpr rlim_t kEnough = 1 << 16;
    rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough)
        return;
    limit.rlim_cur = std::min(limit.rlim_max, kEnough);
    ::setrlimit(RLIMIT_NOFILE, &limit);
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
    const std::string said = group.runOnMain("attempt", [&] {
        int64_t count = 0;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(folder.events(0), none))
            count += entry.path().filename().string().starts_with("events.") ? 1 : 0;
        return std::to_string(count);
    });
    const std::optional<int64_t> attempt = parseNumber<int64_t>(said);
    if (!attempt || *attempt < 0)
        throw std::runtime_error("rank 0 tells no number of the attempt, but " + inQuotes(said));
    return *attempt;
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

/// Once a run, and not again when torchrun starts its ranks anew.
void warnOfOpenStore(const distributed::Rendezvous& rendezvous, run::EventWriter& events)
{
    if (rendezvous.storeHost != distributed::StoreHost::Torchrun || rendezvous.rank != 0
        || rendezvous.restart > 0)
        return;
    const std::string text = "torchrun's store at " + rendezvous.store.name()
        + " knows no secret: whoever reaches it can end this run or mislead its ranks";
    std::cerr << "warning: " << text << std::endl;
    events.write({ .payload = run::Message { "warning", text } });
}

/// Joins the others and trains; the exit code, or why not.
Result<ExitCode> joinAndTrain(const run::RunFolder& folder, const plan::Plan& plan,
    const distributed::Rendezvous& rendezvous, std::shared_ptr<distributed::Pulse> pulse,
    distributed::Watch& watch, Events& events)
{
    distributed::Group group(rendezvous, deviceOf(plan, rendezvous), std::move(pulse),
        { .usesNccl = plan.options.distributedBackend != "gloo",
            .reducesAlone = !plan.options.distributedBackend.empty() });
    const int64_t attempt = attemptOf(folder, group);
    auto opened = run::EventWriter::open(folder.events(rendezvous.rank), attempt);
    if (!opened)
        return opened.error();
    events.writer = std::move(*opened);
    events.log = events.writer.get();
    warnOfOpenStore(rendezvous, *events.writer);
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

/// Where rank 0 is to; nothing elsewhere.
std::unique_ptr<run::StoreServer> serveStore(const distributed::Rendezvous& rendezvous)
{
    if (rendezvous.storeHost != distributed::StoreHost::RankZero || rendezvous.rank != 0)
        return nullptr;
    const run::StoreAddress& store = rendezvous.store;
    auto server = run::StoreServer::onNetwork(store.host, store.port, store.secret);
    if (!server)
        throw std::runtime_error(server.error().message);
    return std::move(*server);
}

int runWatched(
    const run::RunFolder& folder, const plan::Plan& plan, const distributed::Rendezvous& rendezvous)
{
    const c10::Device device = deviceOf(plan, rendezvous);
    std::string gpu;
    const auto meaning = [&gpu](const std::string& cause) {
        return deviceFailure(cause, !gpu.empty() && Nvml().isLost(gpu));
    };
    const std::string noFolder = enterWorkingFolder(folder, plan);
    const std::unique_ptr<run::StoreServer> served = serveStore(rendezvous);
    Events events;
    const auto pulse = std::make_shared<distributed::Pulse>();
    distributed::Watch watch(rendezvous, *pulse,
        { .heartbeatTimeoutSeconds = plan.options.heartbeatTimeout,
            .observesOthers = !isSupervised(),
            .endRequested = [] { return toldToEnd != 0; } },
        [&events](const Failure& failure) { leave(events.log, failure); });
    const LastWords words([&](const std::string& cause) {
        std::cerr << cause << std::endl; // the whole of it goes to the rank's log
        leave(events.log,
            watch.publish(meaning(cause), rendezvous.worldSize > 1 && mayBeEcho(cause)));
    });
    std::string cause;
    bool echo = false;
    try {
        if (device.is_cuda())
            gpu = gpuUuid(device.index());
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
    // Rank 0 tells errors of what it alone does as text.
    leave(events.log, watch.publish(meaning(cause), echo));
}

int cannotJoin(const distributed::Rendezvous& rendezvous, const std::string& why)
{
    std::cerr << "rank " << rendezvous.rank << " could not join the run: " << why << std::endl;
    return kFailed;
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
    allowManyDescriptors();
    const run::RunFolder folder { std::filesystem::absolute(given.path) };
    const Result<plan::Plan> plan = run::readPlan(folder);
    Result<distributed::Rendezvous> rendezvous = distributed::rendezvousFromEnvironment();
    if (!plan || !rendezvous) {
        std::cerr << (plan ? rendezvous.error() : plan.error()).message << std::endl;
        return plan ? kUsage : kFailed;
    }
    if (const Status unedited = isSupervised() ? Status(Done {}) : checkUnedited(folder, *plan);
        !unedited) {
        std::cerr << unedited.error().message << std::endl;
        return kRecipeErrors;
    }
    // Before any rank logs something: each sees the same run folder and, as a rule, the same data.
    if (const std::string finished = isSupervised() ? "" : finishedWords(folder, *plan);
        !finished.empty()) {
        if (rendezvous->rank == 0)
            std::cout << finished << std::endl;
        return kDone;
    }
    if (rendezvous->storeHost == distributed::StoreHost::RankZero) {
        Result<std::string> secret = run::storeSecret(folder);
        if (!secret) {
            std::cerr << secret.error().message << std::endl;
            return kFailed;
        }
        rendezvous->store.secret = std::move(*secret);
    }
    at::set_num_threads(threadsOf(plan->options.threadsPerRank, rendezvous->localWorldSize));
    if (plan->options.deterministic)
        model::makeDeterministic();
    at::globalContext().setSDPUseCuDNN(plan->options.enableCudnnSdp);
    if (deviceOf(*plan, *rendezvous).is_cpu() && plan->options.cpuMemoryLimitMb > 0)
        train::limitCpuMemory(static_cast<int64_t>(plan->options.cpuMemoryLimitMb * kBytesPerMb));
    try {
        return runWatched(folder, *plan, *rendezvous);
    } catch (const c10::Error& problem) {
        return cannotJoin(*rendezvous, problem.what_without_backtrace());
    } catch (const std::exception& problem) {
        return cannotJoin(*rendezvous, problem.what());
    }
}

} // namespace earwright::engine
