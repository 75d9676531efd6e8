#include "core/train/memory/memory_plan.h"

#include "core/base/json_fields.h"

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
    std::vector<std::vector<int64_t>> sizes;
    const auto isSize = [](const std::vector<int64_t>& size) {
        return size.size() == 2 && size[0] > 0 && size[1] > 0;
    };
    const Status read = readJson("{\"sizes\": " + text + "}", [&](JsonReader& reader) {
        reader.require("sizes", sizes);
        if (!std::all_of(sizes.begin(), sizes.end(), isSize))
            reader.refuse("sizes", "pairs of rows and samples above 0");
    });
    if (!read)
        return Error { "the memory plan of a checkpoint is damaged: " + read.error().message };
    for (const std::vector<int64_t>& size : sizes)
        plan.tooMuch(size[0], size[1]);
    return plan;
}

} // namespace earwright::train
