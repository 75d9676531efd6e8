#include "core/plan/test_search.h"

#include "core/plan/revisable.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace earwright::plan {
namespace {

/// Of run::timeText(), to the second.
double secondsOf(const std::string& time)
{
    std::tm parts {};
    const char* const end = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S%z", &parts);
    if (!end || *end != '\0')
        return std::numeric_limits<double>::infinity();
    const long east = parts.tm_gmtoff; // which timegm() takes back
    return static_cast<double>(timegm(&parts) - east);
}

} // namespace

bool changeTestSearch(const std::vector<std::string>& changes)
{
    return std::any_of(changes.begin(), changes.end(), [](const std::string& change) {
        return isOfTestSearch(change.substr(0, change.find(':')));
    });
}

double testSearchTime(const Plan& plan)
{
    for (auto revision = plan.revisions.rbegin(); revision != plan.revisions.rend(); ++revision)
        if (changeTestSearch(revision->changes))
            return secondsOf(revision->time);
    return 0;
}

} // namespace earwright::plan
