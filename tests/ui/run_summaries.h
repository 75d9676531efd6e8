#pragma once

#include "core/run/run_folder.h"

/// A run as the list gets it, a quarter of the way; there is no such folder.
inline earwright::run::RunSummary summaryOf(
    const char* name, earwright::run::State state, double startTime = 1)
{
    earwright::run::RunSummary summary;
    summary.folder.path = std::filesystem::path("/runs") / name;
    summary.name = name;
    summary.state = state;
    summary.startTime = startTime;
    summary.totalSteps = 100;
    summary.step = 25;
    return summary;
}
