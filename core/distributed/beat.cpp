#include "core/distributed/beat.h"

#include "core/base/json_fields.h"

#include <nlohmann/json.hpp>

namespace earwright::distributed {

namespace {

constexpr JsonRange kExitCode { -255, 255 };

} // namespace

std::string beatToJson(const Beat& beat)
{
    return nlohmann::json {
        { "count", beat.count }, { "pid", beat.pid },
        { "process_start_ticks", beat.processStartTicks }, { "host", beat.host },
        { "phase", beat.phase }, { "step", beat.step }, { "waits_in", beat.waitsIn },
        { "waits", beat.waits }, { "stuck_seconds", beat.stuckSeconds },
        { "quiet_seconds", beat.quietSeconds }, { "idle_seconds", beat.idleSeconds },
        { "stack", beat.stack }, { "gone", beat.gone }, { "exit_code", beat.exitCode }
    }.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Beat> beatFromJson(const std::string& text)
{
    Result<JsonReader> reader = JsonReader::parse(text);
    if (!reader)
        return {};
    Beat beat;
    (*reader)("count", beat.count, kJsonCount);
    (*reader)("pid", beat.pid, kJsonCount);
    (*reader)("process_start_ticks", beat.processStartTicks, kJsonCount);
    (*reader)("host", beat.host);
    (*reader)("phase", beat.phase);
    (*reader)("step", beat.step, kJsonCount);
    (*reader)("waits_in", beat.waitsIn);
    (*reader)("waits", beat.waits, kJsonCount);
    (*reader)("stuck_seconds", beat.stuckSeconds, kJsonCount);
    (*reader)("quiet_seconds", beat.quietSeconds, kJsonCount);
    (*reader)("idle_seconds", beat.idleSeconds, kJsonCount);
    (*reader)("stack", beat.stack);
    (*reader)("gone", beat.gone);
    (*reader)("exit_code", beat.exitCode, kExitCode);
    return reader->status() ? std::optional(beat) : std::nullopt;
}

} // namespace earwright::distributed
