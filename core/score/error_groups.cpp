#include "core/score/error_groups.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace earwright::score {

namespace {

constexpr std::array kSecondsEdges { 0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0 };
constexpr std::array kRateEdges { 0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0 };

/// The group of a figure that is 0 or more.
template <size_t count>
ErrorGroup groupAt(const std::array<double, count>& edges, double figure)
{
    const auto above = std::upper_bound(edges.begin(), edges.end(), figure);
    ErrorGroup group { .from = *(above - 1) };
    if (above != edges.end())
        group.below = *above;
    return group;
}

} // namespace

std::optional<GroupBy> groupByNamed(std::string_view name)
{
    if (name == "speaker")
        return GroupBy::Speaker;
    if (name == "seconds")
        return GroupBy::Seconds;
    return name == "rate" ? std::optional(GroupBy::Rate) : std::nullopt;
}

std::string ErrorGroup::name() const
{
    if (!speaker.empty())
        return speaker;
    if (from < 0)
        return "unknown";
    return formatNumber(from)
        + (std::isinf(below) ? std::string(" and more") : " to " + formatNumber(below));
}

double speakingRate(int64_t tokens, double seconds)
{
    return seconds > 0 ? static_cast<double>(tokens) / seconds
                       : std::numeric_limits<double>::quiet_NaN();
}

void ErrorGroups::add(const std::string& speaker, double seconds, const ErrorRate& edits)
{
    const double figure = m_by == GroupBy::Rate ? speakingRate(edits.tokens, seconds) : seconds;
    ErrorGroup kind;
    if (m_by == GroupBy::Speaker)
        kind.speaker = speaker;
    else if (figure >= 0)
        kind = m_by == GroupBy::Rate ? groupAt(kRateEdges, figure) : groupAt(kSecondsEdges, figure);
    const double key = kind.from < 0 ? std::numeric_limits<double>::infinity() : kind.from;
    ErrorGroup& group = m_by == GroupBy::Speaker
        ? m_bySpeaker.try_emplace(speaker, kind).first->second
        : m_byFigure.try_emplace(key, kind).first->second;
    if (seconds > 0)
        group.seconds += seconds;
    group.errors.add(edits);
}

std::vector<ErrorGroup> ErrorGroups::groups() const
{
    std::vector<ErrorGroup> all;
    for (const auto& [figure, group] : m_byFigure)
        all.push_back(group);
    for (const auto& [speaker, group] : m_bySpeaker)
        all.push_back(group);
    if (m_by == GroupBy::Speaker)
        std::ranges::stable_sort(
            all, std::greater(), [](const ErrorGroup& group) { return group.errors.percent(); });
    return all;
}

} // namespace earwright::score
