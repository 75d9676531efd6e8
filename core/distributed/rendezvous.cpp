#include "core/distributed/rendezvous.h"

#include <charconv>
#include <cstdlib>

namespace kymo::distributed {

namespace {

/// The first of the names that is set, as a number.
Result<int> number(const Environment& environment, std::initializer_list<const char*> names,
    std::optional<int> fallback = {})
{
    for (const char* name : names) {
        const std::optional<std::string> text = environment(name);
        if (!text)
            continue;
        int value = 0;
        const auto [end, problem]
            = std::from_chars(text->data(), text->data() + text->size(), value);
        if (problem != std::errc() || end != text->data() + text->size() || value < 0)
            return Error { std::string("environment variable ") + name + "='" + *text
                + "' is not a number" };
        return value;
    }
    if (fallback)
        return *fallback;
    return Error { std::string("environment variable ") + *names.begin()
        + " is not set: start ranks with `kymo train`, torchrun, srun or mpirun" };
}

} // namespace

Result<Rendezvous> rendezvousFrom(const Environment& environment)
{
    const Result<int> rank = number(environment, { "RANK", "SLURM_PROCID" });
    const Result<int> localRank = number(
        environment, { "LOCAL_RANK", "SLURM_LOCALID" }, rank ? std::optional<int>(*rank) : 0);
    const Result<int> worldSize = number(environment, { "WORLD_SIZE", "SLURM_NTASKS" });
    const Result<int> port = number(environment, { "MASTER_PORT" });
    for (const Result<int>* value : { &rank, &localRank, &worldSize, &port }) {
        if (!*value)
            return value->error();
    }
    if (*rank >= *worldSize)
        return Error { "RANK=" + std::to_string(*rank)
            + " is not below WORLD_SIZE=" + std::to_string(*worldSize) };
    const Result<int> localWorldSize = number(environment, { "LOCAL_WORLD_SIZE" }, *worldSize);
    if (!localWorldSize)
        return localWorldSize.error();
    return Rendezvous { .rank = *rank,
        .localRank = *localRank,
        .worldSize = *worldSize,
        .localWorldSize = *localWorldSize,
        .masterAddress = environment("MASTER_ADDR").value_or("127.0.0.1"),
        .masterPort = *port,
        .storeIsElsewhere = environment("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True" };
}

Result<Rendezvous> rendezvousFromEnvironment()
{
    return rendezvousFrom([](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        return value ? std::optional<std::string>(value) : std::nullopt;
    });
}

} // namespace kymo::distributed
