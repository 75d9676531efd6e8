#pragma once

#include "core/base/result.h"

#include <functional>
#include <memory>
#include <string>

namespace earwright::run {

/// A supervisor's control socket (AF_UNIX, SOCK_STREAM): one JSON object a line each way.
/// {"command": "stop" | "kill" | "pause" | "continue" | "checkpoint" | "set-lr" | "status"}, set-lr
/// with a "value" above 0 -> {"ok": true, …} or {"ok": false, "error": "…"}.
class ControlServer final {
public:
    using Handler = std::function<std::string(const std::string& jsonRequest)>;

    /// Listens in a thread of its own; `handler` runs there and must not block. The socket lies in
    /// $XDG_RUNTIME_DIR, else /tmp, with mode 0600: a run folder's path may be too long for one.
    /// Requests are answered in order for each client; a client that leaves, or sends a line above
    /// 1 MiB, is dropped.
    static Result<std::unique_ptr<ControlServer>> listen(Handler handler);
    ~ControlServer(); ///< stops the thread at once and removes the socket
    const std::string& socketPath() const;

private:
    struct State;
    explicit ControlServer(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// Sends one request (a line of JSON) and waits at most `timeoutMs` for the answer, a line without
/// its end.
Result<std::string> sendControl(
    const std::string& socketPath, const std::string& jsonRequest, int timeoutMs = 10000);

} // namespace earwright::run
