#include "core/data/hotwords.h"

#include "core/data/hash.h"

#include <algorithm>
#include <memory>

namespace earwright::data {

namespace {

constexpr std::string_view kBlank = " ";
constexpr double kSampled = 0.75; ///< share of texts that give a hotword
constexpr double kDouble = 0.1; ///< share of them, if long enough, that give two

HotwordSpan anywhereFrom(
    int64_t from, int64_t length, const HotwordSampling& sampling, const Chance& chance)
{
    const int64_t first = chance.between(from, length - sampling.shortest);
    const int64_t last = length - 1;
    return { first,
        chance.between(std::min(last, first + sampling.shortest - 1),
            std::min(last, first + sampling.longest - 1)) };
}

std::vector<HotwordSpan> two(int64_t length, const HotwordSampling& sampling, const Chance& chance)
{
    const int64_t first = chance.between(0, length / 3);
    const int64_t last = chance.between(
        first + sampling.shortest - 1, first + std::min(sampling.longest, length / 2) - 1);
    if (last + sampling.shortest >= length) // only with numbers that are not upstream's
        return { { first, last } };
    const HotwordSpan second = anywhereFrom(last + 1, length, sampling, chance);
    return { { first, last }, second };
}

} // namespace

std::vector<HotwordSpan> sampleHotwords(
    int64_t length, const HotwordSampling& sampling, const Chance& chance)
{
    if (length < sampling.shortest || chance.share() >= kSampled)
        return {};
    if (length == sampling.shortest)
        return { { 0, length - 1 } };
    if (chance.share() < kDouble && length > sampling.longest + sampling.shortest + 2)
        return two(length, sampling, chance);
    return { anywhereFrom(0, length, sampling, chance) };
}

std::vector<HotwordSpan> sampleWords(
    std::vector<HotwordSpan> words, const HotwordSampling& sampling, const Chance& chance)
{
    std::erase_if(words, [&](const HotwordSpan& word) {
        const int64_t length = word.last - word.first + 1;
        return length < sampling.shortest || length > sampling.longest;
    });
    if (words.empty() || chance.share() >= kSampled)
        return {};
    const size_t count = words.size() > 1 && chance.share() < kDouble ? 2 : 1;
    std::vector<HotwordSpan> sampled;
    while (sampled.size() < count) {
        const auto taken = words.begin() + chance.between(0, std::ssize(words) - 1);
        sampled.push_back(*taken);
        words.erase(taken);
    }
    return sampled;
}

Chance chanceOf(uint64_t seed, int64_t epoch, std::string_view id)
{
    // Not the draws that choose the speed: another stream of the same seed.
    constexpr uint64_t kStream = 0x686F74776F7264;
    const uint64_t start
        = mixBits(mixBits(mixBits(seed ^ kStream) + static_cast<uint64_t>(epoch)) ^ hashText(id));
    const auto draw
        = [state = std::make_shared<uint64_t>(start)] { return *state = mixBits(*state); };
    return { [draw] { return static_cast<double>(draw() >> 11) * 0x1p-53; },
        [draw](int64_t low, int64_t high) {
            return low + static_cast<int64_t>(draw() % static_cast<uint64_t>(high - low + 1));
        } };
}

std::vector<HotwordSpan> wordsOf(
    const std::vector<int64_t>& tokens, const std::vector<std::string>& labels)
{
    std::vector<HotwordSpan> words;
    bool isBetween = true;
    for (int64_t i = 0; i < std::ssize(tokens); ++i) {
        const std::string& label = labels.at(static_cast<size_t>(tokens[static_cast<size_t>(i)]));
        const bool isMark = label == kWordMark || label == kBlank;
        if (!isMark && (isBetween || label.starts_with(kWordMark)))
            words.push_back({ i, i });
        else if (!isMark)
            words.back().last = i;
        isBetween = isMark;
    }
    return words;
}

Status checkSampling(const HotwordSampling& sampling, const TextEncoder& encoder)
{
    if (!sampling.areWords)
        return Done {};
    const std::vector<std::string> labels = encoder.searchLabels();
    const auto endsAWord
        = [](const std::string& label) { return label == kBlank || label.starts_with(kWordMark); };
    if (std::none_of(labels.begin(), labels.end(), endsAWord))
        return Error { "hotword_unit: word needs blanks between the words of the training texts, "
                       "and these have none: set it to token" };
    if (encoder.isOfWords() && sampling.shortest > 1)
        return Error { "hotword_unit: word samples nothing, since each word is one token: set "
                       "hotword_min_length to 1" };
    return Done {};
}

std::vector<HotwordSpan> spansOf(
    const std::vector<int64_t>& hotword, const std::vector<int64_t>& text)
{
    std::vector<HotwordSpan> spans;
    for (auto at = text.begin();; ++at) {
        at = std::search(at, text.end(), hotword.begin(), hotword.end());
        if (at == text.end())
            return spans;
        const int64_t first = at - text.begin();
        spans.push_back({ first, first + std::ssize(hotword) - 1 });
    }
}

} // namespace earwright::data
