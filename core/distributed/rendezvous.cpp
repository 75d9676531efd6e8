#include "core/distributed/rendezvous.h"

#include "core/base/number.h"
#include "core/run/run_folder.h"

#include <cstdlib>

namespace earwright::distributed {

namespace {

/// The first of the names that is set, as a number.
Result<int> number(const Environment& environment, std::initializer_list<const char*> names,
    std::optional<int> fallback = {})
{
    for (const char* name : names) {
        const std::optional<std::string> text = environment(name);
        if (!text)
            continue;
        const auto value = parseNumber<int>(*text);
        if (!value || *value < 0)
            return Error { std::string("environment variable ") + name + "='" + *text
                + "' is not a number" };
        return *value;
    }
    if (fallback)
        return *fallback;
    return Error { std::string("environment variable ") + *names.begin()
        + " is not set: start ranks with `earwright train`, torchrun, srun or mpirun" };
}

/// The first of the names that is set.
std::string text(const Environment& environment, std::initializer_list<const char*> names,
    const std::string& fallback)
{
    for (const char* name : names) {
        if (const std::optional<std::string> found = environment(name))
            return *found;
    }
    return fallback;
}

} // namespace

Result<Rendezvous> rendezvousFrom(const Environment& environment)
{
    const Result<int> rank
        = number(environment, { "RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK" });
    const Result<int> localRank
        = number(environment, { "LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK" },
            rank ? std::optional<int>(*rank) : 0);
    const Result<int> worldSize
        = number(environment, { "WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE" });
    const Result<int> localWorldSize = number(environment,
        { "LOCAL_WORLD_SIZE", "SLURM_NTASKS_PER_NODE", "OMPI_COMM_WORLD_LOCAL_SIZE" },
        worldSize ? std::optional<int>(*worldSize) : 1);
    const std::optional<std::string> socket = environment(kStoreVariable);
    const Result<int> port = number(
        environment, { "MASTER_PORT" }, socket ? std::optional<int>(0) : std::optional<int>());
    const Result<int> restart = number(environment, { "TORCHELASTIC_RESTART_COUNT" }, 0);
    for (const Result<int>* value :
        { &rank, &localRank, &worldSize, &localWorldSize, &port, &restart }) {
        if (!*value)
            return value->error();
    }
    if (*rank >= *worldSize)
        return Error { "RANK=" + std::to_string(*rank)
            + " is not below WORLD_SIZE=" + std::to_string(*worldSize) };
    return Rendezvous { .rank = *rank,
        .localRank = *localRank,
        .worldSize = *worldSize,
        .localWorldSize = *localWorldSize,
        .node = text(environment, { "GROUP_RANK", "SLURM_NODEID" }, run::hostName()),
        .restart = *restart,
        .storeHost = socket ? StoreHost::Supervisor
            : environment("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True"
            ? StoreHost::Torchrun
            : StoreHost::RankZero,
        .store = { .socket = socket.value_or(""),
            .host = text(environment, { "MASTER_ADDR", "SLURM_LAUNCH_NODE_IPADDR" }, "127.0.0.1"),
            .port = *port } };
}

Result<Rendezvous> rendezvousFromEnvironment()
{
    return rendezvousFrom([](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    });
}

} // namespace earwright::distributed
