#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/run/capsule.h"
#include "core/run/event_codec.h"
#include "core/run/follower.h"
#include "core/run/queue.h"
#include "core/run/run_folder.h"
#include "core/run/test_scores.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <sys/stat.h>

namespace earwright::run {
namespace {

constexpr int64_t kResultVersion = 1;
constexpr double kSilenceSeconds = 120;

Error cannotList(const std::filesystem::path& root, const std::error_code& error)
{
    return { "cannot list the runs of '" + root.string() + "': " + error.message() };
}

/// result.json: everything of a summary but its folder.
void visitSummary(auto& summary, auto& field)
{
    field("name", summary.name);
    field("precision", summary.precision);
    field("devices", summary.devices);
    field("start_time", summary.startTime);
    field("epoch", summary.epoch);
    field("step", summary.step);
    field("total_steps", summary.totalSteps);
    field("test_wer", summary.testWer);
    field("test_cer", summary.testCer);
    field("test_rate", summary.testRate);
    field("test_checkpoints", summary.testCheckpoints);
    field("error", summary.error);
    field("metrics", summary.metrics);
}

std::filesystem::path resultPath(const RunFolder& folder)
{
    return folder.path / "result.json";
}

/// Nothing where there is no result, or one this program cannot read: the events tell then.
std::optional<RunSummary> readResult(const RunFolder& folder)
{
    const Result<std::string> text = readFile(resultPath(folder));
    if (!text)
        return std::nullopt;
    Result<JsonReader> reader = JsonReader::parse(*text);
    if (!reader)
        return std::nullopt;
    RunSummary summary;
    summary.folder = folder;
    int64_t version = 0;
    std::string state;
    (*reader)("version", version);
    (*reader)("state", state);
    visitSummary(summary, *reader);
    summary.state = stateFromName(state);
    if (version != kResultVersion || !reader->status() || !std::isfinite(summary.startTime))
        return std::nullopt;
    return summary;
}

bool hasEvents(const RunFolder& folder)
{
    std::error_code error;
    std::filesystem::directory_iterator entry(folder.path / "events", error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (!eventFiles(entry->path()).empty())
            return true;
    }
    return false;
}

/// What no event told: it was never started, or could not be.
void addPlan(RunSummary& summary)
{
    const std::filesystem::path path = summary.folder.path / "plan.json";
    if (summary.startTime == 0)
        summary.startTime = timeWritten(path);
    const Result<std::string> json = readFile(path);
    const Result<plan::Plan> plan = json ? plan::settingsFromJson(*json) : json.error();
    if (!plan)
        return;
    summary.precision = plan->options.precision;
    summary.devices = plan->devices;
}

RunSummary summaryOfEvents(const RunFolder& folder)
{
    Follower follower(folder);
    (void)follower.poll(); // of a file that cannot be read: the others count
    return summarise(folder, follower.snapshot());
}

RunSummary summaryOf(const RunFolder& folder)
{
    const std::optional<RunSummary> result = readResult(folder);
    RunSummary summary = result ? *result : summaryOfEvents(folder);
    if (summary.devices.empty())
        addPlan(summary);
    if (const Result<RunNotes> notes = readNotes(folder))
        summary.notes = *notes;
    else
        summary.notesError = notes.error().message;
    return summary;
}

/// A disk that does not answer, as one in a network may for a moment: who looks again will see.
bool isOutage(const std::error_code& error)
{
    const int code = error.value();
    return code == EIO || code == ETIMEDOUT || code == ESTALE;
}

Result<std::vector<RunFolder>> runFolders(const std::filesystem::path& root)
{
    std::vector<RunFolder> folders;
    std::error_code error;
    std::filesystem::directory_iterator entry(root, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        std::error_code unseen;
        if (std::filesystem::exists(entry->path() / "plan.json", unseen))
            folders.push_back(RunFolder { entry->path() });
        else if (isOutage(unseen))
            return cannotList(root, unseen);
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return cannotList(root, error);
    return folders;
}

void markWaiting(std::vector<RunSummary>& runs, const std::filesystem::path& root)
{
    const Result<Queue> queue = readQueue(root);
    if (!queue)
        return;
    const std::filesystem::path realRoot = queueEntry(root);
    for (size_t i = 0; i < queue->runs.size(); ++i) {
        const std::filesystem::path waiting = queue->runs[i];
        auto found = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& run) {
            return realRoot / run.folder.path.filename() == waiting;
        });
        if (found == runs.end() && isRunFolder(waiting))
            found = runs.insert(runs.end(), summaryOf(RunFolder { waiting }));
        if (found != runs.end())
            found->place = static_cast<int64_t>(i) + 1;
    }
}

bool comesBefore(const RunSummary& a, const RunSummary& b)
{
    const auto group = [](const RunSummary& run) {
        return isLive(run.state) ? 0 : run.place > 0 ? 1 : 2;
    };
    if (group(a) != group(b))
        return group(a) < group(b);
    if (group(a) == 1)
        return a.place < b.place;
    return std::pair(a.startTime, a.folder.path) > std::pair(b.startTime, b.folder.path);
}

/// Seconds since 1970; 0 where the system does not tell.
double bootTime()
{
    constexpr std::string_view kKey = "\nbtime ";
    const Result<std::string> stat = readFile("/proc/stat");
    const size_t at = stat ? stat->find(kKey) : std::string::npos;
    return at == std::string::npos ? 0 : std::atof(stat->c_str() + at + kKey.size());
}

/// Its last word was lost with a part of the log, but result.json has it.
std::optional<State> lostEnd(const RunFolder& folder, const Snapshot& snapshot)
{
    if (snapshot.damage.empty() || timeWritten(resultPath(folder)) + 1 < snapshot.lastTime)
        return std::nullopt;
    const std::optional<RunSummary> result = readResult(folder);
    return result && isFinal(result->state) ? std::optional(result->state) : std::nullopt;
}

} // namespace

State stateWithoutLock(State folded, double lastTime, double now, double bootTime)
{
    const bool isSilent = now - lastTime >= kSilenceSeconds;
    return isSilent || lastTime < bootTime ? State::Interrupted : folded;
}

State observedState(const RunFolder& folder, const Snapshot& snapshot)
{
    if (isFinal(snapshot.state))
        return snapshot.state;
    if (isCapsule(folder))
        return State::Stopped;
    const std::optional<Lock> lock = readLock(folder);
    const State folded = snapshot.state == State::Interrupted ? State::Running : snapshot.state;
    if (lock && (lock->host != hostName() || liveLock(folder)))
        return folded == State::Unknown ? State::Starting : folded;
    if (lock)
        return State::Interrupted;
    if (const std::optional<State> end = lostEnd(folder, snapshot))
        return *end;
    if (snapshot.lastTime == 0)
        return hasEvents(folder) ? State::Interrupted : State::Queued;
    return stateWithoutLock(
        folded, snapshot.lastTime, static_cast<double>(std::time(nullptr)), bootTime());
}

RunSummary summarise(const RunFolder& folder, const Snapshot& snapshot)
{
    RunSummary summary {
        .folder = folder,
        .name = snapshot.started.name,
        .state = observedState(folder, snapshot),
        .precision = snapshot.started.precision,
        .devices = snapshot.started.devices,
        .startTime = snapshot.startTime,
        .epoch = snapshot.epoch,
        .step = snapshot.step,
        .totalSteps = snapshot.totalSteps,
        .error = snapshot.error,
        .damage = snapshot.damage,
    };
    if (summary.name.empty())
        summary.name = folder.path.filename().string();
    for (const auto& [tag, series] : snapshot.series) {
        if (!series.points().empty())
            summary.metrics[tag] = series.points().back().value;
    }
    if (const std::vector<Evaluated> tests = testScores(snapshot); !tests.empty()) {
        summary.testWer = tests.front().wer;
        summary.testCer = tests.front().cer;
        summary.testRate = tests.front().rate;
        summary.testCheckpoints = tests.front().checkpoints;
    }
    return summary;
}

Result<std::vector<RunSummary>> listRuns(const std::filesystem::path& root)
{
    const Result<std::vector<RunFolder>> folders = runFolders(root);
    if (!folders)
        return folders.error();
    std::vector<RunSummary> runs;
    for (const RunFolder& folder : *folders)
        runs.push_back(summaryOf(folder));
    markWaiting(runs, root);
    std::sort(runs.begin(), runs.end(), comesBefore);
    return runs;
}

Status writeResult(const RunFolder& folder, const Snapshot& snapshot)
{
    const RunSummary summary = summarise(folder, snapshot);
    JsonWriter writer;
    writer("version", kResultVersion);
    writer("state", stateName(summary.state));
    visitSummary(summary, writer);
    return writeFileAtomically(resultPath(folder), writer.text(2) + "\n");
}

} // namespace earwright::run
