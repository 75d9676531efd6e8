#include "core/distributed/nccl_failure.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <regex>

namespace earwright::distributed {

namespace {

/// Behind it stands where the exception was made.
constexpr std::string_view kStackSign = "Exception raised from ";
constexpr std::string_view kLastErrorSign = "Last error:";

/// c10d's names of what Earwright asks NCCL for.
constexpr std::array<std::array<const char*, 2>, 5> kCollectives { { { "ALLREDUCE", "all-reduce" },
    { "BROADCAST", "broadcast" }, { "ALLGATHER", "all-gather" },
    { "_ALLGATHER_BASE", "all-gather" }, { "BARRIER", "barrier" } } };

std::string firstMatch(const std::string& text, const char* pattern)
{
    std::smatch match;
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

std::string linesJoined(std::string_view text)
{
    std::vector<std::string> lines;
    for (const std::string& line : split(text, '\n'))
        if (const std::string_view words = trim(line); !words.empty())
            lines.emplace_back(words);
    return join(lines, "; ");
}

/// "all-reduce 12"; "" = not said.
std::string collectiveIn(const std::string& text)
{
    const std::string type = firstMatch(text, "OpType=(\\w+)");
    if (type.empty())
        return {};
    const auto* known = std::find_if(
        kCollectives.begin(), kCollectives.end(), [&](const auto& one) { return type == one[0]; });
    const std::string number = firstMatch(text, "SeqNum=(\\d+)");
    return (known == kCollectives.end() ? type : std::string((*known)[1]))
        + (number.empty() ? "" : " " + number);
}

/// NCCL's name of the error with what it says of it, and its last warning.
std::string reasonIn(const std::string& text)
{
    const std::string named = firstMatch(text, "(nccl[A-Z]\\w+: [^\\n]*[^\\n. ])");
    const size_t at = text.find(kLastErrorSign);
    const std::string last
        = at == std::string::npos ? "" : linesJoined(text.substr(at + kLastErrorSign.size()));
    std::vector<std::string> parts;
    for (const std::string& part : { named, last })
        if (!part.empty())
            parts.push_back(part);
    return join(parts, "; ");
}

} // namespace

std::string ncclFailure(const std::string& cause)
{
    if (cause.find("NCCL") == std::string::npos)
        return cause;
    const std::string text = cause.substr(0, cause.find(kStackSign));
    const std::string collective = collectiveIn(text);
    const std::string where = collective.empty() ? "" : " in " + collective;
    if (const std::string waited = firstMatch(text, "ran for (\\d+) milliseconds before");
        !waited.empty())
        return "NCCL waited " + std::to_string(std::atoll(waited.c_str()) / 1000) + " s" + where
            + ", in which another rank takes no part";
    const std::string reason = reasonIn(text);
    return reason.empty() ? linesJoined(text) : "NCCL failed" + where + ": " + reason;
}

} // namespace earwright::distributed
