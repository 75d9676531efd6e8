#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"
#include "core/run/store_message.h"

#include <chrono>
#include <string>

namespace earwright::run {

/// Where a run's store is served.
struct StoreAddress {
    std::string socket {}; ///< path of a Unix socket of this host; "" = over the network:
    std::string host {};
    int port = 0;
    std::string secret {}; ///< that both ends must know, over the network

    std::string name() const; ///< "host-a:29500", as messages have it
};

/// A connection to a StoreServer. One thread at a time.
class StoreClient final {
public:
    /// Waits for a server on the network as long as `patience`, for one on this host not at all: it
    /// is there before its clients. Error at once where the server is not this run's.
    static Result<StoreClient> connect(
        const StoreAddress& address, std::chrono::milliseconds patience);

    /// The answer. Waits for it without a limit; a server that ends is an Error at once.
    Result<StoreMessage> ask(const StoreMessage& request);

private:
    explicit StoreClient(Descriptor socket);
    Result<bool> prove(const std::string& secret);
    Status send(const StoreMessage& message);
    Result<StoreMessage> receive();

    Descriptor m_socket;
    StoreInbox m_inbox { kMostStoreBytes };
};

} // namespace earwright::run
