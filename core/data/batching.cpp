#include "core/data/batching.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

namespace earwright::data {
namespace {

using Order = std::vector<int64_t>;
using Batches = std::vector<Order>;

/// Of each utterance.
using Durations = std::vector<double>;

double seconds(const Durations& durations, int64_t index)
{
    return durations[static_cast<size_t>(index)];
}

/// Stable, also downwards: utterances of equal length keep the manifest's order, as Python's
/// sorted().
Order sortedOrder(const Durations& durations, const std::string& sorting)
{
    Order order(durations.size());
    std::iota(order.begin(), order.end(), 0);
    const auto shorter
        = [&](int64_t a, int64_t b) { return seconds(durations, a) < seconds(durations, b); };
    if (sorting == "ascending")
        std::stable_sort(order.begin(), order.end(), shorter);
    if (sorting == "descending")
        std::stable_sort(
            order.begin(), order.end(), [&](int64_t a, int64_t b) { return shorter(b, a); });
    return order;
}

template <class T>
std::vector<T> permuted(const std::vector<T>& items, uint64_t seed)
{
    std::vector<T> result;
    for (const int64_t i : randomPermutation(static_cast<int64_t>(items.size()), seed))
        result.push_back(items[static_cast<size_t>(i)]);
    return result;
}

/// Where the batch that begins at `begin` ends.
size_t endOfBatch(
    const Durations& durations, const Order& order, size_t begin, const Batching& batching)
{
    const auto size = static_cast<size_t>(std::max<int64_t>(1, batching.batchSize));
    double longest = seconds(durations, order[begin]);
    size_t end = begin + 1;
    for (; end < std::min(order.size(), begin + size); ++end) {
        longest = std::max(longest, seconds(durations, order[end]));
        const double padded = longest * static_cast<double>(end - begin + 1);
        if (batching.maxPaddedSeconds > 0 && padded > batching.maxPaddedSeconds)
            break;
    }
    return end;
}

Batches fixedSizeBatches(const Durations& durations, const Order& order, const Batching& batching)
{
    Batches batches;
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        end = endOfBatch(durations, order, begin, batching);
        const bool isFull = static_cast<int64_t>(end - begin) >= batching.batchSize;
        if (isFull || !batching.dropLast)
            batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return batches;
}

/// Utterances a batch of each bucket; the last bucket is for those longer than every boundary.
std::vector<size_t> bucketSizes(const std::vector<double>& boundaries, const Batching& batching)
{
    std::vector<size_t> sizes;
    for (const double boundary : boundaries) {
        auto size
            = std::max<int64_t>(1, static_cast<int64_t>(batching.maxBatchLengthSeconds / boundary));
        if (batching.maxBatchExamples > 0)
            size = std::min(size, batching.maxBatchExamples);
        sizes.push_back(static_cast<size_t>(size));
    }
    sizes.push_back(1);
    return sizes;
}

Batches bucketBatches(const Durations& durations, const Order& order, const Batching& batching)
{
    std::vector<double> boundaries = batching.bucketBoundaries;
    if (boundaries.empty())
        boundaries = lognormalBoundaries(batching.maxBatchLengthSeconds, batching.numBuckets);
    std::sort(boundaries.begin(), boundaries.end());
    const std::vector<size_t> sizes = bucketSizes(boundaries, batching);
    Batches batches;
    Batches open(sizes.size());
    for (const int64_t index : order) {
        const auto at
            = std::lower_bound(boundaries.begin(), boundaries.end(), seconds(durations, index));
        const auto bucket = static_cast<size_t>(at - boundaries.begin());
        open[bucket].push_back(index);
        if (open[bucket].size() >= sizes[bucket])
            batches.push_back(std::exchange(open[bucket], {}));
    }
    for (Order& batch : open) {
        if (!batch.empty() && !batching.dropLast)
            batches.push_back(std::move(batch));
    }
    return batches;
}

/// As CustomDistributedBufferDynamicBatchSampler fills them, without the empty ones that it leaves
/// before an utterance which is longer than a batch. Upstream counts a row too many in the first
/// batch of each buffer, which has one row less than `maxBatchExamples` therefore.
class GreedyBatches final {
public:
    GreedyBatches(const Durations& durations, const Batching& batching)
        : m_durations(durations)
        , m_batching(batching)
    {
    }

    void take(int64_t index)
    {
        const double longest = std::max(m_longest, seconds(m_durations, index));
        const auto rows = static_cast<int64_t>(m_open.size()) + 1;
        const bool isFull = static_cast<double>(rows) * longest > m_batching.maxBatchLengthSeconds
            || (m_batching.maxBatchExamples > 0 && m_counted >= m_batching.maxBatchExamples);
        if (isFull) {
            close();
            m_counted = 0;
        }
        m_open.push_back(index);
        m_longest = std::max(m_longest, seconds(m_durations, index));
        ++m_counted;
    }

    void endBuffer()
    {
        close();
        m_counted = 1;
    }

    Batches takeAll() { return std::move(m_all); }

private:
    void close()
    {
        if (!m_open.empty())
            m_all.push_back(std::exchange(m_open, {}));
        m_longest = 0;
    }

    const Durations& m_durations;
    const Batching& m_batching;
    Batches m_all;
    Order m_open;
    double m_longest = 0;
    int64_t m_counted = 1; ///< rows of m_open, as upstream counts them
};

Batches sortedBufferBatches(const Durations& durations, Order order, const Batching& batching)
{
    const size_t size = *batching.sortSize > 0 ? static_cast<size_t>(*batching.sortSize)
                                               : std::max<size_t>(1, order.size());
    GreedyBatches batches(durations, batching);
    for (size_t begin = 0; begin < order.size(); begin += size) {
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last
            = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), begin + size));
        if (*batching.sortSize > 0)
            std::stable_sort(first, last, [&](int64_t a, int64_t b) {
                return seconds(durations, a) < seconds(durations, b);
            });
        std::for_each(first, last, [&](int64_t index) { batches.take(index); });
        batches.endBuffer();
    }
    return batches.takeAll();
}

void orderBatches(
    Batches& batches, const Durations& durations, const Batching& batching, uint64_t seed)
{
    const auto longest = [&](const Order& batch) {
        double most = 0;
        for (const int64_t index : batch)
            most = std::max(most, seconds(durations, index));
        return most;
    };
    if (batching.batchOrdering == "random")
        batches = permuted(batches, seed);
    if (batching.batchOrdering == "ascending")
        std::stable_sort(batches.begin(), batches.end(),
            [&](const Order& a, const Order& b) { return longest(a) < longest(b); });
    if (batching.batchOrdering == "descending")
        std::stable_sort(batches.begin(), batches.end(),
            [&](const Order& a, const Order& b) { return longest(b) < longest(a); });
}

/// x with P(standard normal <= x) = p: a rational start (Abramowitz and Stegun 26.2.23), then
/// Newton steps on erfc.
double normalQuantile(double p)
{
    if (p > 0.5)
        return -normalQuantile(1 - p);
    const double t = std::sqrt(-2 * std::log(p));
    double x = -(t
        - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 4; ++i) {
        const double excess = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
        const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
        x -= excess / density;
    }
    return x;
}

} // namespace

std::vector<int64_t> randomPermutation(int64_t count, uint64_t seed)
{
    // ATen's generator is this very Mersenne Twister, seeded with the low 32 bits.
    std::mt19937 generator(static_cast<uint32_t>(seed & 0xFFFFFFFFU));
    Order order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = 0; i + 1 < order.size(); ++i)
        std::swap(order[i], order[i + generator() % (order.size() - i)]);
    return order;
}

std::vector<double> lognormalBoundaries(double maxSeconds, int64_t numBuckets)
{
    std::vector<double> boundaries;
    const auto count = static_cast<double>(numBuckets);
    for (int64_t i = 1; i <= numBuckets; ++i)
        boundaries.push_back(std::exp(normalQuantile(static_cast<double>(i) / (count + 1))));
    const double scale = boundaries.empty() ? 1 : maxSeconds / boundaries.back();
    for (double& boundary : boundaries)
        boundary *= scale;
    if (!boundaries.empty())
        boundaries.back() = maxSeconds; // not a rounding away from it
    return boundaries;
}

std::vector<std::vector<int64_t>> makeBatches(const std::vector<Utterance>& utterances,
    const Batching& batching, uint64_t seed, int64_t epoch)
{
    Durations durations;
    durations.reserve(utterances.size());
    for (const Utterance& utterance : utterances)
        durations.push_back(utterance.durationSeconds);
    return makeBatches(durations, batching, seed, epoch);
}

std::vector<std::vector<int64_t>> makeBatches(const std::vector<double>& durationsSeconds,
    const Batching& batching, uint64_t seed, int64_t epoch)
{
    const uint64_t ownSeed = batching.seed ? static_cast<uint64_t>(*batching.seed) : seed;
    const uint64_t epochSeed = ownSeed + static_cast<uint64_t>(epoch);
    Order order = sortedOrder(durationsSeconds, batching.sorting);
    const bool isShuffled
        = batching.dynamic ? batching.shuffleExamples : batching.sorting == "random";
    if (isShuffled)
        order = permuted(order, epochSeed);
    if (!batching.dynamic)
        return fixedSizeBatches(durationsSeconds, order, batching);
    Batches batches = batching.sortSize ? sortedBufferBatches(durationsSeconds, order, batching)
                                        : bucketBatches(durationsSeconds, order, batching);
    orderBatches(batches, durationsSeconds, batching, epochSeed);
    return batches;
}

std::vector<int64_t> rankPart(const std::vector<int64_t>& batch, int64_t rank, int64_t worldSize)
{
    assert(worldSize > 0 && rank >= 0 && rank < worldSize);
    const auto size = static_cast<int64_t>(batch.size());
    if (size < worldSize)
        return batch;
    const int64_t base = size / worldSize;
    const int64_t extra = size % worldSize;
    const int64_t begin = rank * base + std::min(rank, extra);
    const int64_t end = begin + base + (rank < extra ? 1 : 0);
    return { batch.begin() + begin, batch.begin() + end };
}

} // namespace earwright::data
