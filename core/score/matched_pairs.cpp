#include "core/score/matched_pairs.h"

#include <cassert>
#include <cmath>

namespace earwright::score {

namespace {

constexpr int kRightTokens = 2; ///< in a row, which part two segments

/// Of one recogniser, along the reference.
struct Places {
    std::vector<int64_t> wrong; ///< 1 where the token was replaced or left out
    std::vector<int64_t> inserted; ///< tokens before each of the reference, and behind the last
};

Places placesOf(const Scored& scored)
{
    Places places { .wrong = {}, .inserted = { 0 } };
    for (const char operation : scored.operations) {
        if (operation == 'I') {
            ++places.inserted.back();
        } else {
            places.wrong.push_back(operation == '=' ? 0 : 1);
            places.inserted.push_back(0);
        }
    }
    return places;
}

/// Takes the places of an utterance one after the other.
class Segmenter final {
public:
    /// Between two tokens of the reference, or at an end of it.
    void gap(int64_t first, int64_t second)
    {
        if (first + second > 0)
            addErrors(first, second);
    }
    void token(int64_t first, int64_t second)
    {
        if (first + second > 0)
            addErrors(first, second);
        else if (++m_rightInARow == kRightTokens)
            m_isOpen = false;
    }
    std::vector<SegmentErrors> take() { return std::move(m_segments); }

private:
    void addErrors(int64_t first, int64_t second)
    {
        if (!m_isOpen)
            m_segments.emplace_back();
        m_segments.back().first += first;
        m_segments.back().second += second;
        m_isOpen = true;
        m_rightInARow = 0;
    }

    std::vector<SegmentErrors> m_segments;
    bool m_isOpen = false;
    int m_rightInARow = 0;
};

} // namespace

std::vector<SegmentErrors> segmentsOf(const Scored& first, const Scored& second)
{
    const Places one = placesOf(first);
    const Places other = placesOf(second);
    assert(one.wrong.size() == other.wrong.size());
    Segmenter segmenter;
    for (size_t i = 0; i < one.wrong.size(); ++i) {
        segmenter.gap(one.inserted[i], other.inserted[i]);
        segmenter.token(one.wrong[i], other.wrong[i]);
    }
    segmenter.gap(one.inserted.back(), other.inserted.back());
    return segmenter.take();
}

MatchedPairs matchedPairs(const std::vector<Scored>& first, const std::vector<Scored>& second)
{
    assert(first.size() == second.size());
    double count = 0;
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < first.size(); ++i) {
        for (const SegmentErrors& segment : segmentsOf(first[i], second[i])) {
            const auto difference = static_cast<double>(segment.second - segment.first);
            count += 1;
            sum += difference;
            squares += difference * difference; // whole numbers: exact
        }
    }
    if (count == 0)
        return {};
    MatchedPairs pairs { .segments = static_cast<int64_t>(count), .meanDifference = sum / count };
    const double spread = count * squares - sum * sum; // count (count - 1) times the variance
    if (count < 2 || spread <= 0)
        return pairs;
    pairs.z = pairs.meanDifference / std::sqrt(spread / (count * (count - 1)) / count);
    pairs.p = std::erfc(std::abs(*pairs.z) / std::sqrt(2.0));
    return pairs;
}

} // namespace earwright::score
