#include "core/decode/phrase_path.h"

#include <algorithm>

namespace earwright::decode {

namespace {

/// How many phrases of the list stand in this one, itself among them.
int64_t phrasesIn(
    const std::vector<int64_t>& phrase, const std::vector<std::vector<int64_t>>& phrases)
{
    int64_t count = 0;
    for (const std::vector<int64_t>& other : phrases)
        for (auto at = phrase.begin(); phrase.end() - at >= std::ssize(other); ++at)
            count += std::equal(other.begin(), other.end(), at) ? 1 : 0;
    return count;
}

} // namespace

std::vector<int64_t> phrasePath(
    const torch::Tensor& logProbs_UV, const std::vector<std::vector<int64_t>>& phrases, double nats)
{
    const auto logProbs = logProbs_UV.accessor<float, 2>();
    const auto [likeliest_U, token_U] = logProbs_UV.max(1);
    const auto likeliest = likeliest_U.accessor<float, 1>();
    const auto places = static_cast<size_t>(logProbs.size(0));
    std::vector<double> preferred; // nats, by phrase
    for (const std::vector<int64_t>& phrase : phrases)
        preferred.push_back(nats * static_cast<double>(phrasesIn(phrase, phrases)));
    std::vector<double> best(places + 1, 0.0); // of the places before
    std::vector<const std::vector<int64_t>*> last(places + 1, nullptr);
    for (size_t end = 1; end <= places; ++end) {
        best[end] = best[end - 1] + likeliest[static_cast<int64_t>(end - 1)];
        for (size_t p = 0; p < phrases.size(); ++p) {
            const std::vector<int64_t>& phrase = phrases[p];
            if (phrase.size() > end)
                continue;
            const size_t begin = end - phrase.size();
            double whole = best[begin] + preferred[p];
            for (size_t i = 0; i < phrase.size(); ++i)
                whole += logProbs[static_cast<int64_t>(begin + i)][phrase[i]];
            if (whole > best[end]) {
                best[end] = whole;
                last[end] = &phrase;
            }
        }
    }
    const int64_t* tokens = token_U.const_data_ptr<int64_t>();
    std::vector<int64_t> path(tokens, tokens + places);
    for (size_t end = places; end > 0;) {
        const std::vector<int64_t>* phrase = last[end];
        end -= phrase ? phrase->size() : 1;
        if (phrase)
            std::copy(
                phrase->begin(), phrase->end(), path.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return path;
}

} // namespace earwright::decode
