#include "core/train/join_segments.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

namespace earwright::train {

namespace {

using Hypotheses = std::vector<decode::CtcHypothesis>;

std::string_view lastPoint(std::string_view text)
{
    size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
        --begin;
    return text.substr(begin);
}

std::string_view firstPoint(std::string_view text)
{
    size_t end = 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        ++end;
    return text.substr(0, end);
}

std::string joinTexts(const std::string& before, const std::string& behind)
{
    if (before.empty() || behind.empty())
        return before + behind;
    const bool isBare
        = isUnspaced(codeOf(lastPoint(before))) && isUnspaced(codeOf(firstPoint(behind)));
    return before + (isBare ? "" : " ") + behind;
}

/// `offset`: frames before the second.
decode::CtcHypothesis joinTwo(
    const decode::CtcHypothesis& before, const decode::CtcHypothesis& behind, int32_t offset)
{
    decode::CtcHypothesis all = before;
    all.text = joinTexts(before.text, behind.text);
    all.score += behind.score;
    all.rank += behind.rank;
    for (decode::WordFrames word : behind.words) {
        word.begin += offset;
        word.end += offset;
        all.words.push_back(std::move(word));
    }
    return all;
}

/// The best sums of one of each, both best first: those next to a pair that was taken wait.
Hypotheses bestPairs(
    const Hypotheses& before, const Hypotheses& behind, int32_t offset, int64_t topk)
{
    struct Pair {
        double rank;
        size_t first;
        size_t second;
        bool operator<(const Pair& other) const { return rank < other.rank; }
    };
    std::priority_queue<Pair> waiting;
    std::set<std::pair<size_t, size_t>> seen;
    const auto wait = [&](size_t first, size_t second) {
        if (first < before.size() && second < behind.size()
            && seen.insert({ first, second }).second)
            waiting.push({ before[first].rank + behind[second].rank, first, second });
    };
    Hypotheses best;
    std::set<std::string> texts;
    for (wait(0, 0); !waiting.empty() && std::ssize(best) < topk;) {
        const Pair pair = waiting.top();
        waiting.pop();
        decode::CtcHypothesis joined = joinTwo(before[pair.first], behind[pair.second], offset);
        if (texts.insert(joined.text).second)
            best.push_back(std::move(joined));
        wait(pair.first + 1, pair.second);
        wait(pair.first, pair.second + 1);
    }
    return best;
}

HeardSegment segmentOf(const Heard& heard, const data::Part& part, int sampleRateHz)
{
    const auto secondsAt = [&](int64_t sample) {
        return std::round(1000.0 * static_cast<double>(sample) / sampleRateHz) / 1000;
    };
    return { secondsAt(part.first), secondsAt(part.first + part.count), heard.text() };
}

} // namespace

Heard joinSegments(const std::vector<Heard>& heard, const SegmentPlaces& places)
{
    if (heard.size() == 1)
        return heard.front();
    Heard all { .secondsPerFrame = heard.front().secondsPerFrame };
    int32_t frames = 0; // where it is not known how long they are
    for (size_t i = 0; i < heard.size(); ++i) {
        const HeardSegment segment = segmentOf(heard[i], places.parts[i], places.sampleRateHz);
        if (!heard[i].problem.empty()) {
            all.problem = heard[i].problem + " (in its segment from "
                + formatNumber(segment.beginSeconds) + " s to " + formatNumber(segment.endSeconds)
                + " s)";
            return all;
        }
        const int64_t known = places.parts[i].first / places.frameSamples;
        const int32_t offset = all.secondsPerFrame > 0 ? static_cast<int32_t>(known) : frames;
        all.hypotheses = i == 0
            ? heard[i].hypotheses
            : bestPairs(all.hypotheses, heard[i].hypotheses, offset, places.topk);
        all.segments.push_back(segment);
        frames += heard[i].numFrames;
    }
    return all;
}

} // namespace earwright::train
