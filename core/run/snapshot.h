#pragma once

#include "core/run/event.h"
#include "core/run/series.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace kymo::run {

enum class State { Unknown, Queued, Starting, Running, Stopping, Stopped, Done, Failed, Lost };
/// "running", "done" … as `kymo runs` prints it.
std::string stateName(State state);

struct LogLine {
    double wallTime = 0;
    int64_t rank = 0;
    std::string level;
    std::string text;
};

/// What a run looks like now: a fold over its events. Live view, re-opening and comparing are this one function.
struct Snapshot {
    State state = State::Unknown;
    RunStarted started; ///< of the latest attempt
    double startTime = 0; ///< of the first attempt, seconds since the epoch
    double lastTime = 0; ///< of the latest event
    std::string phase;
    int64_t epoch = 0;
    int64_t step = 0;
    int64_t totalSteps = 0; ///< epochs x steps an epoch; 0 = unknown
    double itPerSecond = 0; ///< over the latest logged points
    double etaSeconds = -1; ///< -1 = unknown
    std::map<std::string, Series> series; ///< by tag, of rank 0
    std::vector<Evaluated> evaluations;
    std::vector<CheckpointSaved> checkpoints;
    std::vector<NonFinite> nonFinite;
    std::vector<LossScaleChanged> lossScales;
    std::vector<DtypeCensus> census;
    std::vector<LogLine> log; ///< of all ranks, in order of arrival
    std::string error;
};

/// Adds one event of one rank. An attempt that resumed at step k drops the points an earlier one logged beyond k.
/// `Scalar`s count from rank 0 alone.
void fold(Snapshot& snapshot, int64_t rank, const Event& event);

} // namespace kymo::run
