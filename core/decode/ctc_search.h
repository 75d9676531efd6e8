#pragma once

#include "core/decode/beam_texts.h"
#include "core/decode/ctc_beam.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// What both CTC searches do alike.
namespace earwright::decode {

/// The times of a beam's words, each list kept once.
class WordTimes final {
public:
    struct Span {
        int32_t begin = -1;
        int32_t end = -1;
    };
    int32_t append(int32_t list, Span span)
    {
        m_links.push_back({ list, span });
        return static_cast<int32_t>(m_links.size()) - 1;
    }
    std::vector<Span> list(int32_t last) const
    {
        std::vector<Span> spans;
        for (; last >= 0; last = m_links[static_cast<size_t>(last)].first)
            spans.push_back(m_links[static_cast<size_t>(last)].second);
        std::reverse(spans.begin(), spans.end());
        return spans;
    }
    static constexpr int32_t kNone = -1;

private:
    std::vector<std::pair<int32_t, Span>> m_links;
};

/// The frames of each word, as far as both are there.
inline std::vector<WordFrames> framesOf(
    const std::vector<std::string>& words, const std::vector<WordTimes::Span>& spans)
{
    std::vector<WordFrames> frames;
    for (size_t i = 0; i < std::min(words.size(), spans.size()); ++i)
        frames.push_back({ words[i], spans[i].begin, spans[i].end });
    return frames;
}

/// The outputs of a frame that are tried, in order: those above the threshold and the best.
inline void chooseTokens(const float* frame, const LogProbs& logProbs,
    const CtcSearchSetting& setting, std::vector<int32_t>& chosen)
{
    const auto threshold = static_cast<float>(setting.options.tokenPruneMinLogp);
    const int64_t best = std::max_element(frame, frame + logProbs.width) - frame;
    const int64_t count = std::min<int64_t>(logProbs.width, setting.vocabulary.size());
    chosen.clear();
    for (int64_t token = 0; token < count; ++token) {
        if (frame[token] > threshold || token == best)
            chosen.push_back(static_cast<int32_t>(token));
    }
}

inline bool isSkipped(const float* frame, const LogProbs& logProbs, const CtcSearchSetting& setting)
{
    const int32_t blank = setting.vocabulary.blankIndex();
    return blank >= 0 && blank < logProbs.width
        && frame[blank] > static_cast<float>(std::log(setting.options.blankSkipThreshold));
}

/// Which of the beams go on, best first, in their old order where they are equal. `rank` is a
/// member of Beam; Real is the type upstream compares it in.
template <class Real, class Beam>
void choosePlaces(
    const std::vector<Beam>& beams, const CtcBeamOptions& options, std::vector<int32_t>& places)
{
    Real best = -std::numeric_limits<Real>::infinity();
    for (const Beam& beam : beams)
        best = std::max(best, static_cast<Real>(beam.rank));
    const Real least = best + static_cast<Real>(options.beamPruneLogp);
    places.clear();
    for (int32_t place = 0; place < std::ssize(beams); ++place) {
        if (static_cast<Real>(beams[static_cast<size_t>(place)].rank) >= least)
            places.push_back(place);
    }
    const size_t kept = std::min(places.size(), static_cast<size_t>(options.beamSize));
    std::partial_sort(places.begin(), places.begin() + static_cast<ptrdiff_t>(kept), places.end(),
        [&](int32_t a, int32_t b) {
            const Real rankA = static_cast<Real>(beams[static_cast<size_t>(a)].rank);
            const Real rankB = static_cast<Real>(beams[static_cast<size_t>(b)].rank);
            return rankA != rankB ? rankA > rankB : a < b;
        });
    places.resize(kept);
}

/// A number for a beam's history, of which one is kept: words, the word under way, the last output
/// and where it stands among the hotwords.
inline uint64_t historyKey(uint64_t words, uint64_t spelling, int32_t token, HotwordState hot)
{
    uint64_t key = words * 0x9e3779b97f4a7c15 ^ (spelling + 0x632be59bd9b4e019);
    for (const int32_t part : { token, hot.node, static_cast<int32_t>(hot.last) })
        key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93 + static_cast<uint64_t>(part + 1);
    return (key ^ (key >> 32)) | 1;
}

/// Words that the next one's probability depends on.
inline int64_t historyLength(const CtcSearchSetting& setting)
{
    return setting.scorer ? std::max(1, setting.scorer->order() - 1) : 1;
}

/// Shows a search each frame that is not skipped, in order, and asks for what it found.
template <class Search>
std::vector<CtcHypothesis> searchFrames(const CtcSearchSetting& setting, const LogProbs& logProbs)
{
    Search search(setting);
    for (int64_t index = 0; index < logProbs.frames; ++index) {
        const float* frame = logProbs.data + index * logProbs.stride;
        if (!isSkipped(frame, logProbs, setting))
            search.frame(frame, static_cast<int32_t>(index), logProbs);
    }
    return search.finish();
}

} // namespace earwright::decode
