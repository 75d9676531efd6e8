#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::run {

/// A moment at which somebody or something stepped in. Between `begin` and `end` nothing trains.
struct Mark {
    std::string kind; ///< pause | resume | restart | rate
    int64_t step = 0; ///< optimizer steps done by then
    double begin = 0; ///< seconds since the epoch
    double end = 0; ///< of a rate that was set: as `begin`; 0 = not yet
    std::string detail; ///< of a restart what ended the ranks, of a rate its value
};

// They add to the marks of a run, in the order in which they are told.
void markPause(std::vector<Mark>& marks, int64_t step, double time); ///< once, until its end
void endPause(std::vector<Mark>& marks, double time);
/// Where the trainer's message says that a rate was set by hand, as in "learning rate set to 0.01
/// after step 7".
void markRate(std::vector<Mark>& marks, std::string_view message, double time);
void markRestart(std::vector<Mark>& marks, int64_t step, double time, const std::string& error);
/// An attempt begins at a step whose last point is of the time `lastPoint`, of none the run's
/// start: it ends the restart that came before, or is a resume.
void markAttempt(std::vector<Mark>& marks, int64_t step, double lastPoint, double time);

} // namespace earwright::run
