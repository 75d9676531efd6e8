#include "core/engine/rank_main.h"

#include "core/distributed/group.h"
#include "core/distributed/watch.h"
#include "core/train/trainer.h"

#include <ATen/Parallel.h>
#include <csignal>
#include <iostream>
#include <thread>

namespace kymo::engine {

namespace {

using distributed::Failure;

/// What a rank leaves as its last line, in its log and on its standard error.
void sayLast(run::EventWriter& events, const Failure& failure)
{
    const std::string text = distributed::describe(failure);
    events.write({ .payload = run::Message { "error", text } });
    events.flush();
    std::cerr << text << std::endl;
}

[[noreturn]] void leave(run::EventWriter& events, const Failure& failure)
{
    sayLast(events, failure);
    std::_Exit(kFailed);
}

/// Ctrl-C on a terminal is the supervisor's to answer. Where that one is killed, the keeper asks
/// the ranks to stop.
void settleSignals()
{
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

c10::Device deviceOf(const plan::Plan& plan, const distributed::Rendezvous& rendezvous)
{
    const size_t index = std::min(static_cast<size_t>(rendezvous.rank), plan.devices.size() - 1);
    return c10::Device(plan.devices[index]);
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
    distributed::Group& group, distributed::Watch& watch, run::EventWriter& events, int64_t attempt)
{
    const train::Requests requests { .stop = [&watch] { return watch.stopRequested(); },
        .checkpoint = [&watch] { return watch.takeCheckpointRequest(); },
        .at = [&watch](const std::string& phase, int64_t step) { watch.at(phase, step); } };
    const c10::Device device
        = deviceOf(plan, distributed::Rendezvous { .rank = static_cast<int>(group.rank()) });
    auto trainer = train::Trainer::make({ plan, folder, group, events, requests, device, attempt });
    if (!trainer)
        return trainer.error();
    return (*trainer)->run();
}

int runJoined(
    const run::RunFolder& folder, const plan::Plan& plan, const distributed::Rendezvous& rendezvous)
{
    distributed::Group group(rendezvous, deviceOf(plan, rendezvous));
    const int64_t attempt = attemptOf(folder, group);
    auto events = run::EventWriter::open(folder.events(rendezvous.rank), attempt);
    if (!events) {
        std::cerr << events.error().message << std::endl;
        return kFailed;
    }
    distributed::Watch watch(
        rendezvous, [&events](const Failure& failure) { leave(**events, failure); });
    std::string cause;
    bool echo = false;
    try {
        const Result<train::Outcome> outcome
            = trainRank(folder, plan, group, watch, **events, attempt);
        if (outcome) {
            group.runOnMain("end", [] { return std::string(); });
            (*events)->flush();
            return *outcome == train::Outcome::Done ? kDone : kStopped;
        }
        cause = outcome.error().message;
    } catch (const c10::Error& problem) {
        cause = problem.what_without_backtrace();
        std::cerr << problem.what() << std::endl; // the whole of it goes to the rank's log
        echo = group.size() > 1 && mayBeEcho(problem.what());
    } catch (const std::exception& problem) {
        cause = problem.what();
        echo = group.size() > 1 && mayBeEcho(cause);
    }
    leave(**events, watch.publish(cause, echo));
}

} // namespace

int runRank(const run::RunFolder& folder)
{
    settleSignals();
    const Result<plan::Plan> plan = run::readPlan(folder);
    const Result<distributed::Rendezvous> rendezvous = distributed::rendezvousFromEnvironment();
    if (!plan || !rendezvous) {
        std::cerr << (plan ? rendezvous.error() : plan.error()).message << std::endl;
        return plan ? kUsage : kFailed;
    }
    const int64_t wanted = plan->options.threadsPerRank;
    const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
    at::set_num_threads(static_cast<int>(
        wanted > 0 ? wanted : std::max<int64_t>(1, cores / rendezvous->localWorldSize)));
    try {
        return runJoined(folder, *plan, *rendezvous);
    } catch (const std::exception& problem) {
        std::cerr << "rank " << rendezvous->rank << " could not join the run: " << problem.what()
                  << std::endl;
        return kFailed;
    }
}

} // namespace kymo::engine
