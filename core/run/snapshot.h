#pragma once

#include "core/run/event.h"
#include "core/run/marks.h"
#include "core/run/series.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::run {

enum class State {
    Unknown,
    Queued,
    Starting,
    Running,
    Stopping,
    Stopped,
    Done,
    Failed,
    Interrupted,
    Paused
};
/// "running", "done" … as `earwright runs` prints it.
std::string stateName(State state);
State stateFromName(std::string_view name); ///< Unknown for a name that is none
bool isFinal(State state); ///< Stopped, Done, Failed
bool isLive(State state); ///< someone is at work on it: Starting, Running, Paused, Stopping

struct LogLine {
    double wallTime = 0;
    int64_t rank = 0;
    std::string level;
    std::string text;
};

/// What a run looks like now: a fold over its events. Live view, re-opening and comparing are this
/// one function.
struct Snapshot {
    State state = State::Unknown;
    RunStarted started; ///< of the latest attempt
    double startTime = 0; ///< of the first attempt, seconds since the epoch
    double attemptTime = 0; ///< when the latest attempt's ranks were ready
    double lastTime = 0; ///< of the latest event
    double workSeconds = 0; ///< from the first event to the last of each attempt, together
    std::string phase;
    double phaseTime = 0; ///< when it began
    int64_t epoch = 0;
    int64_t step = 0;
    int64_t totalSteps = 0; ///< epochs x steps an epoch; 0 = unknown
    double itPerSecond = 0; ///< optimizer steps a second while training, over the latest logged
                            ///< points; 0 = unknown
    double evaluationSeconds = 0; ///< of the latest validation
    double etaSeconds = -1; ///< steps and validations that are left; -1 = unknown
    std::map<std::string, Series> series; ///< by tag, of rank 0; system/… of the supervisor
    std::vector<Evaluated> evaluations;
    std::vector<CheckpointSaved> checkpoints;
    std::vector<NonFinite> nonFinite;
    std::vector<LossScaleChanged> lossScales;
    std::vector<DtypeCensus> census;
    std::vector<Restarting> restarts;
    std::vector<BatchSplit> batchSplits;
    std::vector<Mark> marks; ///< in the order in which they were told
    std::vector<LogDamage> damage; ///< of the event files: what this snapshot may lack
    std::vector<LogLine> log; ///< of all ranks, in order of arrival
    std::string error;
    bool resumePending
        = false; ///< the supervisor announced an attempt that rank 0 has not logged for yet
};

/// Adds one event of one rank. An attempt that resumed at step k drops the points an earlier one
/// logged beyond k. Scalars (system/… of the supervisor aside), loss scales and the census count
/// from rank 0 alone; the start, the phase, the evaluations, the checkpoints and the end from rank
/// 0 and the supervisor (rank -1), whose word comes last; messages, non-finite steps and batches in
/// parts from everyone.
void fold(Snapshot& snapshot, int64_t rank, const Event& event);

} // namespace earwright::run
