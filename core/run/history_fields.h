#pragma once

#include "core/run/event_log.h"
#include "core/run/series.h"

#include <bit>
#include <string>
#include <vector>

/// What history_file.cpp writes and history_reader.cpp reads: one list of it.
namespace earwright::run::history {

constexpr int64_t kVersion = 5; ///< goes up when fold() gives another snapshot of the same events
constexpr size_t kPointsOfRecord = 1u << 16;
static_assert(std::endian::native == std::endian::little && sizeof(Point) == 24);

/// A snapshot's lists in the form they have in the event files.
struct Lists {
    std::vector<std::string> events {};
    std::vector<std::string> log {};
    std::vector<std::string> marks {};
    std::vector<std::string> curves {};

    void visit(auto& field)
    {
        field("events", events);
        field("log", log);
        field("marks", marks);
        field("curves", curves);
    }
};

void visit(auto& position, auto& field, auto& rank)
{
    field("rank", rank);
    field("file", position.file);
    field("offset", position.offset);
    field("tail", position.tail);
}

void visit(auto& line, auto& field)
{
    field("time", line.wallTime);
    field("rank", line.rank);
    field("level", line.level);
    field("text", line.text);
}

void visitMark(auto& mark, auto& field)
{
    field("kind", mark.kind);
    field("step", mark.step);
    field("begin", mark.begin);
    field("end", mark.end);
    field("detail", mark.detail);
}

/// Everything of a snapshot but its lists. The binding counts the members: a new one does not
/// compile until it is kept here or in the lists.
void visitRest(auto& snapshot, auto& field)
{
    auto& [state, started, startTime, attemptTime, lastTime, workSeconds, phase, phaseTime, epoch,
        step, totalSteps, itPerSecond, evaluationSeconds, etaSeconds, series, evaluations,
        checkpoints, nonFinite, lossScales, census, restarts, batchSplits, marks, damage, log,
        error, resumePending]
        = snapshot;
    field("start_time", startTime);
    field("attempt_time", attemptTime);
    field("last_time", lastTime);
    field("work_seconds", workSeconds);
    field("phase", phase);
    field("phase_time", phaseTime);
    field("epoch", epoch);
    field("step", step);
    field("total_steps", totalSteps);
    field("it_per_second", itPerSecond);
    field("evaluation_seconds", evaluationSeconds);
    field("eta_seconds", etaSeconds);
    field("error", error);
    field("resume_pending", resumePending);
}

} // namespace earwright::run::history
