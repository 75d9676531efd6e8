#include "core/check/ngram/binary.h"

#include <algorithm>

namespace earwright::check {

namespace {

/// An open hash table: a key is sought from the place that it asks for to the first free one.
struct HashTable {
    std::string_view bytes;
    size_t entrySize = 0; ///< the key of 8 bytes, then what is kept with it

    uint64_t placeCount() const { return bytes.size() / entrySize; }
    uint64_t key(uint64_t place) const { return readAt<uint64_t>(bytes, place * entrySize); }
    template <class T>
    T value(uint64_t place, size_t index = 0) const
    {
        return readAt<T>(bytes, place * entrySize + sizeof(uint64_t) + index * sizeof(T));
    }
};

/// As KenLM computes it, in floats.
uint64_t placesFor(uint64_t entries, float multiplier)
{
    return std::max(entries + 1, static_cast<uint64_t>(multiplier * static_cast<float>(entries)));
}

/// Every key is found, and none is sought for long. `filled`: how many there are.
std::string whyNoHashTable(const HashTable& table, uint64_t& filled)
{
    constexpr uint64_t kLongestRun = 1 << 16; // a search in it takes some ten microseconds
    const uint64_t places = table.placeCount();
    uint64_t first = 0;
    while (first < places && table.key(first) != 0)
        ++first;
    if (first == places)
        return "has no free place, so that a search in it would not end";
    uint64_t run = 0;
    for (uint64_t step = 1; step < places; ++step) {
        const uint64_t place = (first + step) % places;
        const uint64_t key = table.key(place);
        run = key == 0 ? 0 : run + 1;
        if (key == 0)
            continue;
        filled += 1;
        if ((place + places - key % places) % places >= run)
            return "has an entry where no search finds it";
        if (run > kLongestRun)
            return "is too full for a search in it to end soon";
    }
    return {};
}

bool areWeights(const HashTable& table, uint64_t place, size_t weightCount)
{
    for (size_t i = 0; i < weightCount; ++i)
        if (!isNgramWeight(table.value<float>(place, i)))
            return false;
    return true;
}

/// Sign bits of probabilities mean something else: KenLM reads each as negative.
std::string whyNoOrder(const HashTable& table, size_t weightCount, uint64_t leastCount)
{
    uint64_t filled = 0;
    if (const std::string why = whyNoHashTable(table, filled); !why.empty())
        return why;
    if (filled < leastCount)
        return "has fewer entries than the head says";
    for (uint64_t place = 0; place < table.placeCount(); ++place)
        if (table.key(place) != 0 && !areWeights(table, place, weightCount))
            return "has a weight that is no number";
    return {};
}

/// Hashes by a word's number; `bound`: how many words there are with <unk>.
std::string whyNoVocabulary(const HashTable& table, uint32_t bound, std::vector<uint64_t>& hashes)
{
    uint64_t filled = 0;
    if (const std::string why = whyNoHashTable(table, filled); !why.empty())
        return "its table of words " + why;
    if (filled + 1 != bound)
        return "its table of words has not as many as it says";
    hashes.assign(bound, 0);
    for (uint64_t place = 0; place < table.placeCount(); ++place) {
        if (table.key(place) == 0)
            continue;
        const auto number = table.value<uint32_t>(place);
        if (number == 0 || number >= bound || hashes[number] != 0)
            return "a word has the number " + std::to_string(number) + " of "
                + std::to_string(bound)
                + (number < bound && number > 0 ? ", as another one has" : "");
        hashes[number] = table.key(place);
    }
    return {};
}

std::string whyNoSingleWords(std::string_view weights)
{
    for (size_t at = 0; at < weights.size(); at += sizeof(float))
        if (!isNgramWeight(readAt<float>(weights, at)))
            return "a single word has a weight that is no number";
    return {};
}

std::string whyNoOrders(const NgramHead& head, NgramParts& parts, size_t weightCount)
{
    constexpr size_t kLongestSize = 12;
    const size_t middleSize = sizeof(uint64_t) + weightCount * sizeof(float);
    for (size_t order = 2; order <= head.counts.size(); ++order) {
        const bool isLongest = order == head.counts.size();
        const uint64_t count = head.counts[order - 1];
        const size_t entrySize = isLongest ? kLongestSize : middleSize;
        const HashTable table { parts.next(placesFor(count, head.multiplier) * entrySize),
            entrySize };
        if (parts.isShort)
            return kShortNgram;
        if (const std::string why = whyNoOrder(table, isLongest ? 1 : weightCount, count);
            !why.empty())
            return "its table of " + std::to_string(order) + "-grams " + why;
    }
    return {};
}

} // namespace

std::string whyNoHashTables(const NgramHead& head, NgramParts parts)
{
    constexpr size_t kWordSize = 12;
    const size_t weightCount = head.hasRest() ? 3 : 2;
    const std::string_view vocabulary = parts.next(2 * sizeof(uint32_t));
    const HashTable words { parts.next(placesFor(head.counts[0], head.multiplier) * kWordSize),
        kWordSize };
    const std::string_view single = parts.next((head.counts[0] + 1) * weightCount * sizeof(float));
    if (parts.isShort)
        return kShortNgram;
    const auto bound = readAt<uint32_t>(vocabulary, sizeof(uint32_t));
    if (readAt<uint32_t>(vocabulary, 0) != 0)
        return "its table of words is of another version";
    if (bound == 0 || bound > head.counts[0] + 1)
        return "its words are numbered to " + std::to_string(bound) + " and it has "
            + std::to_string(head.counts[0]);
    std::vector<uint64_t> hashes;
    std::string why = whyNoVocabulary(words, bound, hashes);
    if (why.empty())
        why = whyNoSingleWords(single);
    if (why.empty())
        why = whyNoOrders(head, parts, weightCount);
    return why.empty() ? whyNoWords(parts.rest(), hashes) : why;
}

} // namespace earwright::check
