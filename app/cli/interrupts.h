#pragma once

namespace earwright::cli {

/// From now on Ctrl-C and SIGTERM are counted and end nothing by themselves.
void catchInterrupts();

/// From now on Ctrl-C, SIGTERM and a terminal that is closed end the program with 130, its
/// temporary folders removed; a pipe that is closed fails the write. Called before other threads
/// are there: they must not take the signals themselves.
void endOnInterrupt();

/// After endOnInterrupt(): from now on the first of them is only counted.
void endOnSecondInterrupt();

/// How many came since then.
int interruptCount();

} // namespace earwright::cli
