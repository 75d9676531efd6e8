#include "core/distributed/failure.h"

#include <nlohmann/json.hpp>

namespace earwright::distributed {

std::string failureToJson(const Failure& failure)
{
    return nlohmann::json {
        { "rank", failure.rank }, { "host", failure.host }, { "phase", failure.phase },
        { "step", failure.step }, { "cause", failure.cause }, { "detail", failure.detail }
    }.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Failure> failureFromJson(const std::string& text)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return {};
    return Failure { json.value("rank", int64_t(-1)), json.value("host", ""),
        json.value("phase", ""), json.value("step", int64_t(0)), json.value("cause", ""),
        json.value("detail", "") };
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
