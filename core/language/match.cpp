#include "core/language/match.h"

#include <algorithm>

namespace earwright::language {
namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isUpper(char c)
{
    return c != lower(c);
}

bool beginsPart(std::string_view name, size_t at)
{
    if (at == 0 || std::string_view("_.-/:<[ ").find(name[at - 1]) != std::string_view::npos)
        return true;
    return isUpper(name[at]) && !isUpper(name[at - 1]);
}

bool startsWith(std::string_view name, std::string_view typed, bool isExact)
{
    return name.size() >= typed.size()
        && std::equal(typed.begin(), typed.end(), name.begin(),
            [&](char a, char b) { return isExact ? a == b : lower(a) == lower(b); });
}

bool isSubsequence(std::string_view name, std::string_view typed)
{
    size_t at = 0;
    for (const char c : name)
        at += at < typed.size() && lower(c) == lower(typed[at]) ? 1 : 0;
    return at == typed.size();
}

} // namespace

std::optional<int> matchRank(std::string_view name, std::string_view typed)
{
    enum { Whole, Exact, Prefix, PartExact, Part, Subsequence };
    if (startsWith(name, typed, true))
        return name.size() == typed.size() || typed.empty() ? Whole : Exact;
    if (startsWith(name, typed, false))
        return Prefix;
    std::optional<int> best;
    for (size_t at = 1; at < name.size(); ++at) {
        if (!beginsPart(name, at) || !startsWith(name.substr(at), typed, false))
            continue;
        if (startsWith(name.substr(at), typed, true))
            return PartExact;
        best = Part;
    }
    if (!best && isSubsequence(name, typed))
        best = Subsequence;
    return best;
}

} // namespace earwright::language
