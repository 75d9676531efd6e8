#include "core/score/top_errors.h"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace earwright::score {
namespace {

std::string line(const std::string& name, double percent)
{
    char rate[40];
    std::snprintf(rate, sizeof rate, " %%WER %.2f\n", percent);
    return name + rate;
}

std::string lines(const std::vector<const Scored*>& utterances)
{
    std::string text;
    for (const Scored* one : utterances)
        text += line(one->id, one->percent());
    return text;
}

std::string utteranceText(const TopErrors& top)
{
    std::string text = kRule + "UTTERANCES WITH HIGHEST WER\n";
    text += top.heard.empty()
        ? "No utterances which had produced output!\n"
        : "Non-empty hypotheses -- utterances for which output was produced:\n" + lines(top.heard);
    text += top.silent.empty()
        ? "No utterances which had not produced output!\n"
        : "Empty hypotheses -- utterances for which no output was produced:\n" + lines(top.silent);
    return text;
}

} // namespace

std::vector<std::pair<std::string, ErrorRate>> bySpeaker(
    const std::vector<Scored>& scored, const std::vector<std::string>& speakers)
{
    std::vector<std::pair<std::string, ErrorRate>> rates;
    std::unordered_map<std::string, size_t> places;
    for (size_t i = 0; i < scored.size(); ++i) {
        const auto [place, isNew] = places.try_emplace(speakers[i], rates.size());
        if (isNew)
            rates.emplace_back(speakers[i], ErrorRate {});
        rates[place->second].second.add(scored[i]);
    }
    std::ranges::stable_sort(
        rates, std::greater(), [](const auto& one) { return one.second.percent(); });
    return rates;
}

TopErrors topErrors(const std::vector<Scored>& scored, size_t most)
{
    std::vector<const Scored*> ordered;
    for (const Scored& one : scored)
        ordered.push_back(&one);
    std::ranges::stable_sort(ordered, std::greater(), &Scored::percent);
    TopErrors top;
    for (const Scored* one : ordered) {
        std::vector<const Scored*>& kind = one->isSilent() ? top.silent : top.heard;
        if (kind.size() < most)
            kind.push_back(one);
    }
    return top;
}

std::string topErrorText(
    const std::vector<Scored>& scored, const std::vector<std::string>& speakers, size_t most)
{
    std::string text = utteranceText(topErrors(scored, most));
    auto rates = bySpeaker(scored, speakers);
    std::erase_if(rates, [](const auto& rate) { return rate.first.empty(); });
    if (rates.empty())
        return text;
    text += kRule + "SPEAKERS WITH HIGHEST WER\n";
    for (size_t i = 0; i < std::min(most, rates.size()); ++i)
        text += line(rates[i].first, rates[i].second.percent());
    return text;
}

} // namespace earwright::score
