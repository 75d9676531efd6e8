#include "core/check/ngram/binary.h"

#include <algorithm>
#include <bit>
#include <limits>

// A trie: the n-grams of an order lie in the order of their histories, and each history knows where
// its own begin. Numbers are packed to the bit.

namespace earwright::check {

namespace {

constexpr uint64_t kSlack
    = 8; ///< so many bytes follow packed numbers, so that 8 can be read at any

uint64_t bitsFor(uint64_t most)
{
    return static_cast<uint64_t>(std::bit_width(most));
}

/// Of up to 57 bits.
uint64_t packedAt(std::string_view bytes, uint64_t bit, uint64_t width)
{
    return (readAt<uint64_t>(bytes, bit / 8) >> (bit % 8)) & ((uint64_t { 1 } << width) - 1);
}

/// Probabilities and back-offs as numbers of a bin, a table for each order.
struct Bins {
    uint64_t probabilityBits = 0;
    uint64_t backoffBits = 0;
    std::string_view probabilities;
    std::string_view backoffs;
};

/// Where the n-grams begin that continue each history, and behind the last one where they end.
class Beginnings final {
public:
    using Read = std::function<uint64_t(uint64_t history)>;
    explicit Beginnings(uint64_t histories, Read read)
        : m_histories(histories)
        , m_read(std::move(read))
    {
    }
    uint64_t histories() const { return m_histories; }
    uint64_t of(uint64_t history) const { return m_read(history); }

private:
    uint64_t m_histories;
    Read m_read;
};

/// The upper bits of beginnings, in a table of the histories at which they grow by one.
struct UpperBits {
    std::string_view table;
    uint64_t lowerBits = 0;
    uint64_t size() const { return table.size() / sizeof(uint64_t); }
    uint64_t at(uint64_t index) const { return readAt<uint64_t>(table, index * sizeof(uint64_t)); }
};

/// How KenLM's ArrayBhiksha divides: as it takes the least memory.
uint64_t upperBitsOf(uint64_t entries, uint64_t most, uint64_t allowed)
{
    const uint64_t needed = bitsFor(most);
    uint64_t best = 0;
    int64_t least = std::numeric_limits<int64_t>::max();
    for (uint64_t upper = 0; upper <= std::min(needed, allowed); ++upper) {
        const auto change = static_cast<int64_t>((most >> (needed - upper)) * 64 - entries * upper);
        if (change < least) {
            least = change;
            best = upper;
        }
    }
    return best;
}

struct Order {
    std::string_view packed;
    uint64_t count = 0;
    uint64_t wordBits = 0;
    uint64_t weightBits = 0;
    uint64_t entryBits = 0;
    bool isLongest = false;
    Bins bins; ///< empty where weights are floats
};

bool areWeights(const Order& order, uint64_t bit)
{
    constexpr uint64_t kFloatBits = 32;
    constexpr uint64_t kSignBit = uint64_t { 1 } << 31;
    if (order.bins.probabilities.empty()) {
        const auto floatOf
            = [&](uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); };
        const float probability = floatOf(packedAt(order.packed, bit, kFloatBits - 1) | kSignBit);
        return isNgramProbability(probability)
            && (order.isLongest
                || isNgramWeight(
                    floatOf(packedAt(order.packed, bit + kFloatBits - 1, kFloatBits))));
    }
    const auto weight = [](std::string_view bins, uint64_t number) {
        return readAt<float>(bins, number * sizeof(float));
    };
    const uint64_t backoffBits = order.isLongest ? 0 : order.bins.backoffBits;
    const uint64_t probability
        = packedAt(order.packed, bit + backoffBits, order.bins.probabilityBits);
    return isNgramProbability(weight(order.bins.probabilities, probability))
        && (order.isLongest
            || isNgramWeight(
                weight(order.bins.backoffs, packedAt(order.packed, bit, backoffBits))));
}

/// The words behind one history grow, which a search among them needs.
std::string whyNoContinuations(const Order& order, uint64_t begin, uint64_t end, uint64_t wordCount)
{
    for (uint64_t entry = begin; entry < end; ++entry) {
        const uint64_t bit = entry * order.entryBits;
        const uint64_t word = packedAt(order.packed, bit, order.wordBits);
        if (word >= wordCount)
            return "names word " + std::to_string(word) + " of " + std::to_string(wordCount);
        if (entry > begin && word <= packedAt(order.packed, bit - order.entryBits, order.wordBits))
            return "has words out of order";
        if (!areWeights(order, bit + order.wordBits))
            return "has a weight that is no number";
    }
    return {};
}

std::string whyNoOrder(const Order& order, const Beginnings& beginnings, uint64_t wordCount)
{
    uint64_t begin = beginnings.of(0);
    if (begin != 0)
        return "does not begin where it should";
    for (uint64_t history = 0; history < beginnings.histories(); ++history) {
        const uint64_t end = beginnings.of(history + 1);
        if (end < begin || end > order.count)
            return "has fewer entries than a history points to";
        if (const std::string why = whyNoContinuations(order, begin, end, wordCount); !why.empty())
            return why;
        begin = end;
    }
    return begin == order.count ? "" : "has entries that no history points to";
}

class Trie final {
public:
    Trie(const NgramHead& head, NgramParts& parts)
        : m_head(head)
        , m_parts(parts)
    {
    }

    std::string whyNot()
    {
        std::vector<uint64_t> hashes;
        std::string why = whyNoVocabulary(hashes);
        if (why.empty() && m_head.hasBins())
            why = whyNoBins();
        if (why.empty())
            why = whyNoSingleWords();
        if (why.empty())
            why = whyNoOrders();
        return why.empty() ? whyNoWords(m_parts.rest(), hashes) : why;
    }

private:
    std::string whyNoVocabulary(std::vector<uint64_t>& hashes)
    {
        const std::string_view table = m_parts.next((wordCount() + 1) * sizeof(uint64_t));
        if (m_parts.isShort)
            return kShortNgram;
        if (readAt<uint64_t>(table, 0) + 1 != wordCount())
            return "its table of words has not as many as its head says";
        hashes.assign(wordCount(), 0); // of <unk> none
        for (uint64_t word = 1; word < wordCount(); ++word) {
            hashes[word] = readAt<uint64_t>(table, word * sizeof(uint64_t));
            if (hashes[word] <= hashes[word - 1])
                return "its table of words is out of order";
        }
        return {};
    }

    std::string whyNoBins()
    {
        const std::string_view setting = m_parts.next(sizeof(uint64_t));
        if (m_parts.isShort)
            return kShortNgram;
        constexpr char kVersion = 2;
        constexpr uint64_t kMostBits = 25;
        const auto probabilityBits = static_cast<unsigned char>(setting[1]);
        const auto backoffBits = static_cast<unsigned char>(setting[2]);
        if (setting[0] != kVersion || probabilityBits < 1 || probabilityBits > kMostBits
            || backoffBits < 1 || backoffBits > kMostBits)
            return "its bins of weights have no possible number";
        for (int order = 2; order <= m_head.order; ++order) {
            Bins bins { probabilityBits, backoffBits, {}, {} };
            bins.probabilities = m_parts.next(sizeof(float) << probabilityBits);
            if (order < m_head.order)
                bins.backoffs = m_parts.next(sizeof(float) << backoffBits);
            m_bins.push_back(bins);
        }
        return m_parts.isShort ? kShortNgram : "";
    }

    std::string whyNoSingleWords()
    {
        m_single = m_parts.next((wordCount() + 2) * kSingleSize);
        if (m_parts.isShort)
            return kShortNgram;
        for (uint64_t word = 0; word < wordCount(); ++word)
            if (!isNgramProbability(readAt<float>(m_single, word * kSingleSize))
                || !isNgramWeight(readAt<float>(m_single, word * kSingleSize + sizeof(float))))
                return "a single word has a weight that is no number";
        return {};
    }

    std::string whyNoOrders()
    {
        Beginnings beginnings(wordCount(), [single = m_single](uint64_t word) {
            return readAt<uint64_t>(single, word * kSingleSize + 2 * sizeof(float));
        });
        for (size_t index = 1; index < m_head.counts.size(); ++index) {
            UpperBits upper;
            Order order;
            std::string why = takeOrder(index, order, upper);
            if (why.empty())
                why = whyNoOrder(order, beginnings, wordCount());
            if (!why.empty())
                return why == kShortNgram
                    ? why
                    : "its table of " + std::to_string(index + 1) + "-grams " + why;
            beginnings = beginningsIn(order, upper);
        }
        return {};
    }

    std::string takeOrder(size_t index, Order& order, UpperBits& upper)
    {
        order.count = m_head.counts[index];
        order.isLongest = index + 1 == m_head.counts.size();
        order.wordBits = bitsFor(wordCount());
        if (m_head.hasBins())
            order.bins = m_bins[index - 1];
        const uint64_t binBits
            = order.bins.probabilityBits + (order.isLongest ? 0 : order.bins.backoffBits);
        order.weightBits = m_head.hasBins() ? binBits : order.isLongest ? 31 : 63;
        if (!order.isLongest)
            if (std::string why = takeUpperBits(index, upper); !why.empty())
                return why;
        order.entryBits
            = order.wordBits + order.weightBits + (order.isLongest ? 0 : upper.lowerBits);
        order.packed = m_parts.next(((order.count + 1) * order.entryBits + 7) / 8 + kSlack);
        return m_parts.isShort ? kShortNgram : "";
    }

    /// None of a trie that keeps whole beginnings: then all bits are the lower ones.
    std::string takeUpperBits(size_t index, UpperBits& upper)
    {
        const uint64_t most = m_head.counts[index + 1];
        upper.lowerBits = bitsFor(most);
        if (!m_head.hasArrays())
            return {};
        const uint64_t skipped = (8 - m_parts.at() % 8) % 8; // the table lies at a multiple of 8
        const std::string_view all = m_parts.next(sizeof(uint64_t) + 7);
        if (m_parts.isShort)
            return kShortNgram;
        if (index == 1)
            m_allowedBits = static_cast<unsigned char>(all[1]);
        if (index == 1 && all[0] != 0)
            return "is of another version";
        const uint64_t bits = upperBitsOf(m_head.counts[index] + 1, most, m_allowedBits);
        upper.lowerBits -= bits;
        const uint64_t size = ((most >> upper.lowerBits) + 1) * sizeof(uint64_t);
        const std::string_view behind = m_parts.next(size);
        if (m_parts.isShort)
            return kShortNgram;
        upper.table = std::string_view(all.data() + skipped + sizeof(uint64_t), behind.size());
        for (uint64_t i = 0; i < upper.size(); ++i)
            if (i == 0 ? upper.at(0) != 0 : upper.at(i) < upper.at(i - 1))
                return "points to the next table out of order";
        return {};
    }

    /// To be asked for histories that grow.
    static Beginnings beginningsIn(const Order& order, const UpperBits& upper)
    {
        return Beginnings(
            order.count, [order, upper, above = uint64_t { 0 }](uint64_t history) mutable {
                while (above + 1 < upper.size() && upper.at(above + 1) <= history)
                    ++above;
                const uint64_t bit = history * order.entryBits + order.wordBits + order.weightBits;
                return (above << upper.lowerBits) | packedAt(order.packed, bit, upper.lowerBits);
            });
    }

    uint64_t wordCount() const { return m_head.counts[0]; }

    static constexpr uint64_t kSingleSize = 16; ///< probability, back-off, beginning

    const NgramHead& m_head;
    NgramParts& m_parts;
    std::vector<Bins> m_bins; ///< from order 2 on
    std::string_view m_single;
    uint64_t m_allowedBits = 0;
};

} // namespace

std::string whyNoTrie(const NgramHead& head, NgramParts parts)
{
    return Trie(head, parts).whyNot();
}

} // namespace earwright::check
