#pragma once

#include "core/base/result.h"
#include "core/run/store_client.h"

#include <functional>
#include <optional>
#include <string>

namespace earwright::distributed {

/// Who serves the ranks' store. What torchrun's agent serves is a c10d::TCPStore, which knows no
/// secret; the others serve a run::StoreServer.
enum class StoreHost { Supervisor, Torchrun, RankZero };

/// Of a rank's environment: where its supervisor serves the store. Other launchers do not set it.
inline constexpr const char* kStoreVariable = "EARWRIGHT_STORE";

/// Who this process is among the ranks, and where they meet: torchrun's environment contract.
struct Rendezvous {
    int rank = 0;
    int localRank = 0;
    int worldSize = 1;
    int localWorldSize = 1;
    std::string node {}; ///< the same for the ranks of one host
    int restart = 0; ///< how often the launcher has started the ranks anew
    StoreHost storeHost = StoreHost::RankZero;
    run::StoreAddress store {}; ///< its host is the master's, also where it has a socket
};

using Environment = std::function<std::optional<std::string>(const char* name)>;

/// RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, GROUP_RANK, MASTER_ADDR, MASTER_PORT,
/// TORCHELASTIC_USE_AGENT_STORE, TORCHELASTIC_RESTART_COUNT; where RANK is not set, Slurm's or Open
/// MPI's variables of the same meaning (MASTER_ADDR from SLURM_LAUNCH_NODE_IPADDR). A supervisor
/// sets kStoreVariable in place of MASTER_PORT.
/// The error names the variable that is missing or no number.
Result<Rendezvous> rendezvousFrom(const Environment& environment);
Result<Rendezvous> rendezvousFromEnvironment();

} // namespace earwright::distributed
