#include "core/decode/hotword_rate.h"

#include "core/base/sheet_text.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"

#include <algorithm>

namespace earwright::decode {

namespace {

double percent(int64_t part, int64_t whole)
{
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

std::vector<std::string> mixedTokens(const std::string& text)
{
    std::vector<std::string> tokens = unspacedUnits(text);
    for (std::string& token : tokens)
        token = toLower(token);
    return tokens;
}

double HotwordCount::recall() const
{
    return percent(right, spoken);
}

double HotwordCount::precision() const
{
    return percent(right, heard);
}

double HotwordCount::f1() const
{
    return percent(2 * right, spoken + heard);
}

std::vector<std::pair<const char*, double>> HotwordCount::figures() const
{
    if (spoken > 0)
        return { { "recall", recall() }, { "precision", precision() }, { "F1", f1() } };
    if (heard > 0)
        return { { "precision", precision() } };
    return {};
}

HotwordCount operator+(const HotwordCount& a, const HotwordCount& b)
{
    return { a.spoken + b.spoken, a.heard + b.heard, a.right + b.right };
}

HotwordCounter::HotwordCounter(
    const std::vector<std::string>& phrases, const std::vector<std::string>& trainTexts)
{
    for (const std::string& text : phrases) {
        std::vector<std::string> tokens = mixedTokens(text);
        if (tokens.empty())
            continue;
        std::vector<size_t>& begun = m_byFirstToken[tokens.front()];
        if (std::any_of(begun.begin(), begun.end(),
                [&](size_t index) { return m_phrases[index].tokens == tokens; }))
            continue;
        begun.push_back(m_phrases.size());
        m_phrases.push_back({ .text = text, .tokens = std::move(tokens), .count = {} });
    }
    for (const std::string& text : trainTexts) {
        for (const auto& [phrase, times] : placesIn(text))
            m_phrases[phrase].isUnseen = false;
    }
}

HotwordCounter::Places HotwordCounter::placesIn(const std::string& text) const
{
    Places places;
    const std::vector<std::string> tokens = mixedTokens(text);
    for (auto at = tokens.begin(); at != tokens.end(); ++at) {
        const auto begun = m_byFirstToken.find(*at);
        if (begun == m_byFirstToken.end())
            continue;
        for (const size_t index : begun->second) {
            const std::vector<std::string>& phrase = m_phrases[index].tokens;
            if (std::ssize(phrase) <= tokens.end() - at
                && std::equal(phrase.begin(), phrase.end(), at))
                ++places[index];
        }
    }
    return places;
}

std::vector<std::string> HotwordCounter::add(
    const std::string& reference, const std::string& hypothesis)
{
    Places missed = placesIn(reference);
    for (const auto& [phrase, times] : missed)
        m_phrases[phrase].count.spoken += times;
    for (const auto& [phrase, times] : placesIn(hypothesis)) {
        m_phrases[phrase].count.heard += times;
        const auto said = missed.find(phrase);
        if (said == missed.end())
            continue;
        const int64_t right = std::min(times, said->second);
        m_phrases[phrase].count.right += right;
        said->second -= right;
    }
    std::vector<std::string> phrases;
    for (const auto& [phrase, times] : missed)
        phrases.insert(phrases.end(), static_cast<size_t>(times), m_phrases[phrase].text);
    return phrases;
}

HotwordCount HotwordCounter::all() const
{
    HotwordCount sum;
    for (const Phrase& phrase : m_phrases)
        sum = sum + phrase.count;
    return sum;
}

HotwordCount HotwordCounter::unseen() const
{
    HotwordCount sum;
    for (const Phrase& phrase : m_phrases)
        sum = phrase.isUnseen ? sum + phrase.count : sum;
    return sum;
}

bool HotwordCounter::hasUnseen() const
{
    return std::any_of(
        m_phrases.begin(), m_phrases.end(), [](const Phrase& phrase) { return phrase.isUnseen; });
}

std::string HotwordCounter::table() const
{
    std::string text = "hotword\tunseen\tspoken\theard\tright\n";
    for (const Phrase& phrase : m_phrases)
        text += sheetText(phrase.text) + "\t" + (phrase.isUnseen ? "yes" : "no") + "\t"
            + std::to_string(phrase.count.spoken) + "\t" + std::to_string(phrase.count.heard) + "\t"
            + std::to_string(phrase.count.right) + "\n";
    return text;
}

} // namespace earwright::decode
