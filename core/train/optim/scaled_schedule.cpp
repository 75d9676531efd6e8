#include "core/train/optim/scaled_schedule.h"

#include <nlohmann/json.hpp>

namespace earwright::train {

/// The inner one's alone where nothing was scaled: as runs before knew it.
std::string ScaledSchedule::state() const
{
    if (m_factor == 1)
        return m_inner->state();
    return nlohmann::json { { "factor", m_factor }, { "of", m_inner->state() } }.dump();
}

void ScaledSchedule::restore(const std::string& state)
{
    const auto json = nlohmann::json::parse(state, nullptr, false);
    if (!json.is_object() || !json.contains("factor") || !json.contains("of"))
        return m_inner->restore(state);
    m_factor = json.at("factor");
    m_inner->restore(json.at("of"));
}

} // namespace earwright::train
