#include "core/distributed/failure.h"

#include "core/base/json_fields.h"

#include <nlohmann/json.hpp>

namespace earwright::distributed {

namespace {

constexpr JsonRange kRankOrSupervisor { -1, 1 << 20 };

} // namespace

std::string failureToJson(const Failure& failure)
{
    return nlohmann::json {
        { "rank", failure.rank }, { "host", failure.host }, { "phase", failure.phase },
        { "step", failure.step }, { "cause", failure.cause }, { "detail", failure.detail }
    }.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Failure> failureFromJson(const std::string& text)
{
    Result<JsonReader> reader = JsonReader::parse(text);
    if (!reader)
        return {};
    Failure failure;
    (*reader)("rank", failure.rank, kRankOrSupervisor);
    (*reader)("host", failure.host);
    (*reader)("phase", failure.phase);
    (*reader)("step", failure.step, kJsonCount);
    (*reader)("cause", failure.cause);
    (*reader)("detail", failure.detail);
    return reader->status() ? std::optional(failure) : std::nullopt;
}

std::string describe(const Failure& failure)
{
    std::string who = failure.rank < 0 ? "the supervisor" : "rank " + std::to_string(failure.rank);
    if (!failure.host.empty())
        who += " on " + failure.host;
    if (!failure.phase.empty())
        who += " failed in " + failure.phase + " at step " + std::to_string(failure.step);
    else
        who += " failed";
    return who + ": " + failure.cause;
}

} // namespace earwright::distributed
