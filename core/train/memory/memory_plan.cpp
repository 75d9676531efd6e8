#include "core/train/memory/memory_plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace earwright::train {

using nlohmann::json;

bool MemoryPlan::isTooMuch(const Size& size) const
{
    return std::any_of(m_tooMuch.begin(), m_tooMuch.end(), [&](const Size& known) {
        return size.rows >= known.rows && size.samples >= known.samples;
    });
}

void MemoryPlan::tooMuch(int64_t rows, int64_t samples)
{
    if (isTooMuch({ rows, samples }))
        return;
    std::erase_if(m_tooMuch,
        [&](const Size& known) { return known.rows >= rows && known.samples >= samples; });
    m_tooMuch.push_back({ rows, samples });
}

int64_t MemoryPlan::parts(int64_t rows, int64_t samples) const
{
    int64_t count = 1;
    while (count < rows && isTooMuch({ (rows + count - 1) / count, samples }))
        count *= 2;
    return std::min(count, rows);
}

std::string MemoryPlan::text() const
{
    json list = json::array();
    for (const Size& size : m_tooMuch)
        list.push_back({ size.rows, size.samples });
    return list.dump();
}

Result<MemoryPlan> MemoryPlan::from(const std::string& text)
{
    MemoryPlan plan;
    try {
        for (const json& size : json::parse(text))
            plan.tooMuch(size.at(0).get<int64_t>(), size.at(1).get<int64_t>());
    } catch (const json::exception& problem) {
        return Error { std::string("the memory plan of a checkpoint is damaged: ")
            + problem.what() };
    }
    return plan;
}

} // namespace earwright::train
