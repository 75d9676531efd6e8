#pragma once

#include <pthread.h>
#include <string>

namespace earwright::distributed {

/// Where a thread of this process stands, a line a frame, the innermost first: it is asked by
/// SIGUSR2, whose handler this takes. "" where it does not answer within half a second: it sits in
/// the kernel, then see kernelState(). Any thread may call it.
std::string stackOf(pthread_t thread);

/// What the kernel says of a thread (or of a process: its first thread): "T (stopped) in
/// do_signal_stop". "" where there is no such thread.
std::string kernelState(int64_t threadId);

} // namespace earwright::distributed
