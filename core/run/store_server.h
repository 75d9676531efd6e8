#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>

namespace earwright::run {

/// Serves a run's store (StoreKeys) to this user's ranks, in a thread of its own. It hangs up on
/// who does not prove itself within 10 s, and holds at most 64 such connections.
class StoreServer final {
public:
    /// For ranks of this host: at a Unix socket that other users cannot connect to.
    static Result<std::unique_ptr<StoreServer>> onThisHost();
    /// For ranks of several hosts: at this address alone, or at every one where it is none of this
    /// host's own (a container's, whose host passes its port on), for those that prove to know the
    /// secret. Port 0 = any.
    static Result<std::unique_ptr<StoreServer>> onNetwork(
        const std::string& address, int port, const std::string& secret);
    ~StoreServer(); ///< ends every connection

    const std::string& socketPath() const; ///< "" on the network
    int port() const; ///< 0 on this host alone

private:
    struct State;
    explicit StoreServer(std::unique_ptr<State> state);
    static Result<std::unique_ptr<StoreServer>> start(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace earwright::run
