#include "core/score/verdict.h"

#include "core/base/text.h"
#include "core/base/unspaced.h"

#include <cmath>
#include <cstdio>
#include <string_view>
#include <unordered_map>

namespace earwright::score {

namespace {

constexpr double kChance = 0.05;

using ById = std::unordered_map<std::string_view, const TextPair*>;

Result<ById> byId(const std::vector<TextPair>& pairs)
{
    ById found;
    for (const TextPair& pair : pairs) {
        if (!found.emplace(pair.id, &pair).second)
            return Error { "the utterance " + inQuotes(pair.id)
                + " is there twice in one run: its texts cannot be paired" };
    }
    return found;
}

/// The texts of both runs in the units of a rate.
class Pairing final {
public:
    Pairing(std::string_view rate, WordSplit split)
        : m_isByCharacter(rate == "CER")
        , m_split(split)
    {
    }

    void add(const TextPair& one, const TextPair& other)
    {
        std::vector<std::string> reference = unitsOf(one.reference);
        if (unitsOf(other.reference) != reference) {
            if (++m_numDifferent == 1)
                m_different = inQuotes(one.id) + ": " + inQuotes(one.reference) + " and "
                    + inQuotes(other.reference);
            return;
        }
        first.push_back(score(one.id, reference, unitsOf(one.hypothesis)));
        second.push_back(score(one.id, std::move(reference), unitsOf(other.hypothesis)));
    }

    Status status() const
    {
        if (m_numDifferent > 0)
            return Error { "the references of " + std::to_string(m_numDifferent)
                + " utterances differ, first of " + m_different
                + "; compare runs that were given the same texts" };
        if (first.empty())
            return Error { "the runs have no utterance in common: no ID of one is an ID of the "
                           "other" };
        return Done {};
    }

    std::vector<Scored> first; ///< of the utterances with one reference
    std::vector<Scored> second;

private:
    std::vector<std::string> unitsOf(const std::string& text) const
    {
        return m_isByCharacter ? unspacedUnits(text) : words(text, m_split);
    }

    bool m_isByCharacter;
    WordSplit m_split;
    int64_t m_numDifferent = 0;
    std::string m_different;
};

double rounded(double value, int digits)
{
    const double scale = std::pow(10.0, digits);
    return std::round(value * scale) / scale;
}

std::string onePlace(double points)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", points);
    return text;
}

/// "0.8 to 2.1"; of what rounds to the same twice more digits.
std::string rangeText(double low, double high)
{
    if (onePlace(low) != "0.0" && onePlace(low) != onePlace(high))
        return onePlace(low) + " to " + onePlace(high);
    char text[80];
    std::snprintf(text, sizeof text, "%.3g to %.3g", low, high);
    return text;
}

} // namespace

std::string pText(double p)
{
    if (p < 0.001)
        return "p < 0.001";
    int digits = p < 0.1 ? 3 : 2;
    while (p < kChance && rounded(p, digits) >= kChance)
        ++digits;
    char text[32];
    std::snprintf(text, sizeof text, "p = %.*f", digits, p);
    return text;
}

bool Verdict::isBeyondChance() const
{
    return bootstrap && bootstrap->p < kChance;
}

std::string Verdict::sentence(const std::string& name) const
{
    const std::string count
        = std::to_string(first.sentences) + (first.sentences == 1 ? " utterance" : " utterances");
    if (!bootstrap)
        return "too few utterances to tell a difference from chance (" + count + ")";
    const std::string basis = " (" + pText(bootstrap->p) + ", " + count + ")";
    if (!isBeyondChance())
        return "no difference beyond chance" + basis;
    const bool isWorse = difference() > 0;
    const double ends[] = { std::abs(bootstrap->interval.low), std::abs(bootstrap->interval.high) };
    return name + (isWorse ? " is worse by " : " is better by ")
        + (isWorse ? rangeText(ends[0], ends[1]) : rangeText(ends[1], ends[0])) + " points of "
        + rate + basis;
}

Result<Verdict> verdict(const std::vector<TextPair>& first, const std::vector<TextPair>& second,
    const std::string& rate, WordSplit split)
{
    const Result<ById> ones = byId(first);
    const Result<ById> others = byId(second);
    if (!ones || !others)
        return (ones ? others : ones).error();
    Pairing pairing(rate, split);
    int64_t shared = 0;
    for (const TextPair& one : first) {
        const auto other = others->find(one.id);
        if (other == others->end())
            continue;
        ++shared;
        pairing.add(one, *other->second);
    }
    if (const Status paired = pairing.status(); !paired)
        return paired.error();
    return Verdict { .rate = rate,
        .first = summarise(pairing.first),
        .second = summarise(pairing.second),
        .onlyInFirst = std::ssize(first) - shared,
        .onlyInSecond = std::ssize(second) - shared,
        .bootstrap = pairedBootstrap(pairing.first, pairing.second),
        .matchedPairs = matchedPairs(pairing.first, pairing.second) };
}

} // namespace earwright::score
