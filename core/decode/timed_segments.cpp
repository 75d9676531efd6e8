#include "core/decode/timed_segments.h"

#include <algorithm>
#include <iterator>

namespace earwright::decode {

namespace {

constexpr int64_t kFramesAStamp = 2;

class WindowReader final {
public:
    WindowReader(const WrittenWindow& window, int64_t firstTimestamp)
        : m_window(window)
        , m_first(firstTimestamp)
    {
    }

    WindowSegments read() const
    {
        std::vector<size_t> ends = pairs();
        if (ends.empty())
            return { { whole() }, m_window.frames };
        const std::vector<int64_t>& tokens = m_window.tokens;
        const bool isDone = !isTime(tokens.size() - 2) && isTime(tokens.size() - 1);
        const int64_t frames = isDone ? m_window.frames : framesAt(ends.back() - 1);
        if (isDone)
            ends.push_back(tokens.size());
        WindowSegments read { {}, frames };
        size_t begin = 0;
        for (const size_t end : ends) {
            // The last of all keeps its pair, as upstream.
            const size_t kept = end == ends.back() && !isDone ? end + 1 : end;
            read.segments.push_back(segment(begin, end, kept));
            begin = end;
        }
        return read;
    }

private:
    bool isTime(size_t place) const { return m_window.tokens[place] >= m_first; }
    int64_t framesAt(size_t place) const
    {
        return (m_window.tokens[place] - m_first) * kFramesAStamp;
    }

    /// The places of the second of each.
    std::vector<size_t> pairs() const
    {
        std::vector<size_t> places;
        for (size_t place = 1; place < m_window.tokens.size(); ++place)
            if (isTime(place - 1) && isTime(place))
                places.push_back(place);
        return places;
    }

    TimedTokens segment(size_t begin, size_t end, size_t kept) const
    {
        const auto at
            = [&](size_t place) { return m_window.tokens.begin() + std::ptrdiff_t(place); };
        return { m_window.firstFrame + framesAt(begin), m_window.firstFrame + framesAt(end - 1),
            { at(begin), at(kept) } };
    }

    TimedTokens whole() const
    {
        const std::vector<int64_t>& tokens = m_window.tokens;
        const auto last = std::find_if(
            tokens.rbegin(), tokens.rend(), [&](int64_t token) { return token >= m_first; });
        const bool isTold = last != tokens.rend() && *last != m_first;
        const int64_t stamps = isTold ? *last - m_first : m_window.frames / kFramesAStamp;
        return { m_window.firstFrame, m_window.firstFrame + stamps * kFramesAStamp, tokens };
    }

    const WrittenWindow& m_window;
    int64_t m_first;
};

} // namespace

WindowSegments segmentsOfWindow(const WrittenWindow& window, int64_t firstTimestamp)
{
    return WindowReader(window, firstTimestamp).read();
}

} // namespace earwright::decode
