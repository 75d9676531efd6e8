#include "core/decode/phrase_path.h"

#include <algorithm>

namespace kymo::decode {

std::vector<int64_t> phrasePath(
    const torch::Tensor& logProbs_UV, const std::vector<std::vector<int64_t>>& phrases, double nats)
{
    const auto logProbs = logProbs_UV.accessor<float, 2>();
    const auto [likeliest_U, token_U] = logProbs_UV.max(1);
    const auto likeliest = likeliest_U.accessor<float, 1>();
    const auto places = static_cast<size_t>(logProbs.size(0));
    std::vector<double> best(places + 1, 0.0); // of the places before
    std::vector<const std::vector<int64_t>*> last(places + 1, nullptr);
    for (size_t end = 1; end <= places; ++end) {
        best[end] = best[end - 1] + likeliest[static_cast<int64_t>(end - 1)];
        for (const std::vector<int64_t>& phrase : phrases) {
            if (phrase.size() > end)
                continue;
            const size_t begin = end - phrase.size();
            double whole = best[begin] + nats;
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

} // namespace kymo::decode
