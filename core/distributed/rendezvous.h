#pragma once

#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>

namespace earwright::distributed {

/// Who this process is among the ranks, and where they meet: torchrun's environment contract.
struct Rendezvous {
    int rank = 0;
    int localRank = 0;
    int worldSize = 1;
    int localWorldSize = 1;
    std::string node {}; ///< the same for the ranks of one host
    int restart = 0; ///< how often the launcher has started the ranks anew
    std::string masterAddress = "127.0.0.1";
    int masterPort = 0;
    bool storeIsElsewhere
        = false; ///< a supervisor or torchrun's agent serves the store; otherwise rank 0 does
};

using Environment = std::function<std::optional<std::string>(const char* name)>;

/// RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, GROUP_RANK, MASTER_ADDR, MASTER_PORT,
/// TORCHELASTIC_USE_AGENT_STORE, TORCHELASTIC_RESTART_COUNT; where RANK is not set, Slurm's or Open
/// MPI's variables of the same meaning (MASTER_ADDR from SLURM_LAUNCH_NODE_IPADDR).
/// The error names the variable that is missing or no number.
Result<Rendezvous> rendezvousFrom(const Environment& environment);
Result<Rendezvous> rendezvousFromEnvironment();

} // namespace earwright::distributed
