#include "core/run/points_csv.h"

#include "core/base/sheet_text.h"

#include <cstdio>

namespace earwright::run {

std::string pointsAsCsv(const Snapshot& snapshot)
{
    std::string text = "tag,step,wall_time,value\n";
    for (const auto& [tag, series] : snapshot.series) {
        const std::string name = sheetField(tag);
        for (const Point& point : series.points()) {
            char numbers[96] = {};
            std::snprintf(numbers, sizeof(numbers), ",%lld,%.6f,%.9g\n",
                static_cast<long long>(point.step), point.wallTime, point.value);
            text += name + numbers;
        }
    }
    return text;
}

} // namespace earwright::run
