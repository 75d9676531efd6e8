#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/run_notes.h"
#include "core/run/snapshot.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace earwright::run {

/// A run's folder. FORMAT.md lists its files.
struct RunFolder {
    std::filesystem::path path;

    std::filesystem::path events(int64_t rank) const; ///< rank -1 = the supervisor
    std::filesystem::path checkpoints() const { return path / "checkpoints"; }
    std::filesystem::path alignments() const { return path / "alignments"; }
    std::filesystem::path log(int64_t rank) const;
    /// Fingerprints of the sets, as the run read them last.
    std::filesystem::path data() const { return path / "data.json"; }
    /// Device and dtype of every parameter and buffer, as the rank saw them before its first step.
    std::filesystem::path placement(int64_t rank) const;
};

/// Creates the folder (it must not hold a run yet) and writes the plan's files.
Result<RunFolder> createRunFolder(const std::filesystem::path& path, const plan::Plan& plan);
Result<plan::Plan> readPlan(const RunFolder& folder);

/// Of the files that a plan was written with.
struct Edits {
    bool recipe = false; ///< recipe.yaml
    bool resolved = false; ///< resolved.yaml
};
/// Which of them are not what was written; none of a plan that does not know their checksums.
Result<Edits> editsOf(const RunFolder& folder, const plan::Plan& plan);
/// Replaces the plan's files. Its latest revision also goes behind the recipe as written, as a
/// comment.
Status revisePlan(const RunFolder& folder, plan::Plan plan);
std::string timeText(); ///< of now: "2026-11-27T16:40:00+0000"

/// True where `path` holds a run: plan.json, which is written last.
bool isRunFolder(const std::filesystem::path& path);

/// Root of runs: $EARWRIGHT_RUNS_DIR, else ./runs. A fresh name in it:
/// "<name>-<YYYYMMDD-HHMMSS>[-n]".
std::filesystem::path defaultRunsRoot();
std::filesystem::path freshRunPath(const std::filesystem::path& root, const std::string& name);

/// Of this start of the machine; "" where the system does not tell.
std::string bootId();

/// Who supervises a run.
struct Lock {
    int64_t pid = 0;
    int64_t processStartTicks = 0; ///< field 22 of /proc/PID/stat: tells a reused pid apart
    std::string socket; ///< path of the control socket
    std::string host;
    std::string bootId
        = run::bootId(); ///< of the host: after a restart no process is the one meant
};
/// Opens the run: an earlier result.json goes. An Error where another supervisor of it is alive.
Status writeLock(const RunFolder& folder, const Lock& lock);
void removeLock(const RunFolder& folder);
/// The lock as written, alive or not.
std::optional<Lock> readLock(const RunFolder& folder);
/// The lock of a supervisor that is alive on this host, or nothing.
std::optional<Lock> liveLock(const RunFolder& folder);
int64_t processStartTicks(int64_t pid); ///< 0 where there is no such process, or only its zombie
std::string hostName();

/// One line of `earwright runs` and of the sidebar, cheap to read.
struct RunSummary {
    RunFolder folder;
    std::string name;
    State state
        = State::Unknown; ///< of a run without Finished whose supervisor is gone: Interrupted
    std::string precision;
    std::vector<std::string> devices;
    double startTime = 0; ///< where listRuns finds none: when the run was planned
    int64_t epoch = 0;
    int64_t step = 0;
    int64_t totalSteps = 0;
    double testWer = -1; ///< percent, of several tests the first's; -1 = not there yet
    double testCer = -1;
    std::string testRate = "WER"; ///< the one of both that counts
    std::vector<std::string> testCheckpoints {}; ///< see Evaluated::checkpoints
    std::string error;
    std::vector<LogDamage> damage {}; ///< of the event files, where they were read
    int64_t place = 0; ///< in the queue of the root, 1 = next; 0 = does not wait
    std::filesystem::path capsule {}; ///< the file that the run was unpacked from; empty = none
    std::map<std::string, double> metrics {}; ///< the latest value of each curve: "valid/loss"
    RunNotes notes {};
    std::string notesError {}; ///< why they cannot be read; "" = they can
};
/// The runs below a root, and those from elsewhere that wait in its queue: first who is at work,
/// then who waits, in the queue's order, then the others, newest first. A folder that cannot be
/// read is left out; a root that cannot, or only in part, is an error, and one that is not there
/// has none. Costs two small files for each run that has its result.json or never started, the event
/// files of the others.
Result<std::vector<RunSummary>> listRuns(const std::filesystem::path& root);
RunSummary summarise(const RunFolder& folder, const Snapshot& snapshot);

/// The state a user should see. Without a Finished event: Stopped of a capsule, which nobody runs;
/// Queued where nothing was logged, Interrupted where the supervisor is dead or the machine was
/// restarted since, else as folded.
State observedState(const RunFolder& folder, const Snapshot& snapshot);
/// The same where nobody holds a lock, as an outside launcher writes none: such a run is
/// interrupted when nothing was logged for two minutes, or since the machine started. Times in
/// seconds since 1970.
State stateWithoutLock(State folded, double lastTime, double now, double bootTime);

/// result.json: what listRuns needs. The supervisor writes it at its end, after the Finished event.
Status writeResult(const RunFolder& folder, const Snapshot& snapshot);

} // namespace earwright::run
