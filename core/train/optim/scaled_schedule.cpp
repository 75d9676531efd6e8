#include "core/train/optim/scaled_schedule.h"

#include "core/base/json_fields.h"

#include <nlohmann/json.hpp>

namespace earwright::train {

std::optional<double> ScaledSchedule::replayed(double first)
{
    const std::optional<double> rate = m_inner->replayed(first);
    return rate ? std::optional(m_factor * *rate) : std::nullopt;
}

/// The inner one's alone where nothing was scaled: as runs before knew it.
std::string ScaledSchedule::state() const
{
    if (m_factor == 1)
        return m_inner->state();
    return nlohmann::json { { "factor", m_factor }, { "of", m_inner->state() } }.dump();
}

Status ScaledSchedule::restore(const std::string& state)
{
    Result<JsonReader> json = JsonReader::parse(state);
    if (!json || !json->has("factor") || !json->has("of"))
        return m_inner->restore(state);
    std::string inner;
    json->require("factor", m_factor, JsonRange {});
    json->require("of", inner);
    const Status read = json->status();
    return read ? m_inner->restore(inner) : read;
}

} // namespace earwright::train
