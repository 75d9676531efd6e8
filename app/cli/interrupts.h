#pragma once

#include <sys/types.h>

namespace earwright::cli {

// The first Ctrl-C or SIGTERM asks a command for an orderly end, or ends it where there is nothing
// to put in order. The second ends it at once, by the signal.

/// From now on they are counted. Whoever asks interruptCount() ends in words; where a second one
/// finds nobody that does so within seconds, or a third comes, the program ends.
void catchInterrupts();

/// A process, or by -PID its group, that ends with the program where that does not wait for it.
/// 0: none any more.
void endWithProgram(pid_t children);

/// From now on Ctrl-C, SIGTERM and a terminal that is closed end the program with 130, its
/// temporary folders removed; a pipe that is closed fails the write. Called before other threads
/// are there: they must not take the signals themselves.
void endOnInterrupt();

/// After endOnInterrupt(): from now on the first of them is only counted.
void endOnSecondInterrupt();

/// How many came since then.
int interruptCount();

/// Where two were counted, ends the program by the second: its caller is to see that.
void endBySecondInterrupt();

} // namespace earwright::cli
