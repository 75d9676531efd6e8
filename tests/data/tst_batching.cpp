#include "core/data/batching.h"
#include "tests/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace earwright;
using data::Batching;
using data::Utterance;
using Batches = std::vector<std::vector<int64_t>>;

namespace {

std::vector<Utterance> utterances(const std::vector<double>& lengths)
{
    std::vector<Utterance> result;
    for (const double length : lengths)
        result.emplace_back().durationSeconds = length;
    return result;
}

std::vector<Utterance> manyUtterances(int count)
{
    std::vector<double> lengths;
    for (int i = 0; i < count; ++i)
        lengths.push_back(0.5 + (i * 37 % 101) * 0.1);
    return utterances(lengths);
}

std::vector<int64_t> joined(const Batches& batches)
{
    std::vector<int64_t> all;
    for (const auto& batch : batches)
        all.insert(all.end(), batch.begin(), batch.end());
    return all;
}

} // namespace

class TstBatching : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ascending_isStable()
    {
        const auto set = utterances({ 3, 1, 2, 1, 3, 2 });
        QVERIFY(data::makeBatches(set, { .sorting = "ascending", .batchSize = 4 }, 1, 1)
            == (Batches { { 1, 3, 2, 5 }, { 0, 4 } }));
        QVERIFY(data::makeBatches(
                    set, { .sorting = "descending", .batchSize = 4, .dropLast = true }, 1, 1)
            == (Batches { { 0, 4, 2, 5 } }));
        QVERIFY(data::makeBatches(set, { .sorting = "original", .batchSize = 4 }, 1, 1)
            == (Batches { { 0, 1, 2, 3 }, { 4, 5 } }));
    }

    /// FunASR's sampler: so many at a time are sorted, then taken as far as rows times the
    /// longest fit.
    void sortedBuffers_areFilledGreedily()
    {
        const auto set = utterances({ 3, 1, 2, 1, 9, 2 });
        Batching batching { .dynamic = true,
            .maxBatchLengthSeconds = 6,
            .shuffleExamples = false,
            .sortSize = 3,
            .batchOrdering = "original" };
        QVERIFY(data::makeBatches(set, batching, 1, 1)
            == (Batches { { 1, 2 }, { 0 }, { 3, 5 }, { 4 } }));
        batching.sortSize = 0;
        QVERIFY(data::makeBatches(set, batching, 1, 1)
            == (Batches { { 0, 1 }, { 2, 3 }, { 4 }, { 5 } }));
        batching.maxBatchExamples = 1;
        QCOMPARE(int(data::makeBatches(set, batching, 1, 1).size()), 6);
        batching = { .dynamic = true, .maxBatchLengthSeconds = 30, .sortSize = 16 };
        const auto many = manyUtterances(100);
        auto all = joined(data::makeBatches(many, batching, 1, 1));
        QVERIFY(all != joined(data::makeBatches(many, batching, 1, 2)));
        std::sort(all.begin(), all.end());
        for (int64_t i = 0; i < 100; ++i)
            QCOMPARE(all[static_cast<size_t>(i)], i);
    }

    /// As upstream counts them from 1.
    void firstBatchOfABuffer_hasARowLess()
    {
        const Batching batching { .dynamic = true,
            .maxBatchLengthSeconds = 60,
            .maxBatchExamples = 2,
            .shuffleExamples = false,
            .sortSize = 4,
            .batchOrdering = "original" };
        QVERIFY(data::makeBatches(utterances({ 1, 1, 1, 1, 1, 1, 1 }), batching, 1, 1)
            == (Batches { { 0 }, { 1, 2 }, { 3 }, { 4 }, { 5, 6 } }));
    }

    /// What is longer than all of it goes alone; what is not known counts as nothing.
    void secondsWithPadding_boundABatch()
    {
        const auto set = utterances({ 3600, 3, 3, 0, 3, 30, 5, 3 });
        const Batching ascending { .sorting = "ascending", .batchSize = 4, .maxPaddedSeconds = 60 };
        QVERIFY(data::makeBatches(set, ascending, 0, 1)
            == (Batches { { 3, 1, 2, 4 }, { 7, 6 }, { 5 }, { 0 } }));
        const Batching descending {
            .sorting = "descending", .batchSize = 4, .maxPaddedSeconds = 60, .dropLast = true
        };
        QVERIFY(data::makeBatches(set, descending, 0, 1) == (Batches { { 1, 2, 4, 7 } }));
        Batching unbounded = ascending;
        unbounded.maxPaddedSeconds = 0;
        QVERIFY(data::makeBatches(set, unbounded, 0, 1)
            == (Batches { { 3, 1, 2, 4 }, { 7, 6, 5, 0 } }));
    }

    void random_dependsOnSeedAndEpochAlone()
    {
        const auto set = manyUtterances(50);
        const Batching batching { .sorting = "random", .batchSize = 8 };
        const Batches first = data::makeBatches(set, batching, 7, 1);
        QVERIFY(first == data::makeBatches(set, batching, 7, 1));
        QVERIFY(first == data::makeBatches(set, batching, 6, 2));
        QVERIFY(first != data::makeBatches(set, batching, 7, 2));
        QVERIFY(first != data::makeBatches(set, batching, 8, 1));
        std::vector<int64_t> all = joined(first);
        QVERIFY(!std::is_sorted(all.begin(), all.end()));
        std::sort(all.begin(), all.end());
        for (int64_t i = 0; i < 50; ++i)
            QCOMPARE(all[static_cast<size_t>(i)], i);
    }

    void randomPermutation_ofOneOrNone()
    {
        QVERIFY(data::randomPermutation(0, 1).empty());
        QVERIFY(data::randomPermutation(1, 1) == std::vector<int64_t> { 0 });
    }

    void seedOfTheSampler_takesThePlaceOfTheRuns()
    {
        const auto set = manyUtterances(50);
        const Batching runs { .dynamic = true, .maxBatchLengthSeconds = 30 };
        Batching own = runs;
        own.seed = 7;
        QVERIFY(data::makeBatches(set, own, 3, 2) == data::makeBatches(set, runs, 7, 2));
        QVERIFY(data::makeBatches(set, own, 3, 2) != data::makeBatches(set, runs, 3, 2));
        QVERIFY(data::makeBatches(set, own, 3, 2) != data::makeBatches(set, own, 3, 1));
    }

    void dynamicBatches_keepToTheirLengthAndHoldEveryUtteranceOnce()
    {
        const auto set = manyUtterances(300);
        const Batching batching {
            .dynamic = true, .maxBatchLengthSeconds = 30, .numBuckets = 12, .maxBatchExamples = 9
        };
        const Batches batches = data::makeBatches(set, batching, 3, 1);
        for (const auto& batch : batches) {
            double longest = 0;
            for (const int64_t i : batch)
                longest = std::max(longest, set[static_cast<size_t>(i)].durationSeconds);
            QVERIFY(longest * static_cast<double>(batch.size()) <= 30);
            QVERIFY(batch.size() <= 9);
        }
        std::vector<int64_t> all = joined(batches);
        std::sort(all.begin(), all.end());
        QCOMPARE(all.size(), size_t(300));
        QVERIFY(std::adjacent_find(all.begin(), all.end()) == all.end());
        QVERIFY(batches != data::makeBatches(set, batching, 3, 2));
    }

    void utteranceBeyondTheLimit_isABatchOfItsOwn()
    {
        const auto set = utterances({ 1, 40, 1, 50 });
        const Batching batching { .sorting = "original",
            .dynamic = true,
            .maxBatchLengthSeconds = 10,
            .numBuckets = 3,
            .shuffleExamples = false,
            .batchOrdering = "ascending" };
        QVERIFY(data::makeBatches(set, batching, 1, 1) == (Batches { { 0, 2 }, { 1 }, { 3 } }));
    }

    void rankParts_joinToTheBatch()
    {
        const std::vector<int64_t> batch { 5, 3, 8, 1, 9, 2, 7 };
        QVERIFY(data::rankPart(batch, 0, 1) == batch);
        QVERIFY(data::rankPart(batch, 0, 2) == (std::vector<int64_t> { 5, 3, 8, 1 }));
        QVERIFY(data::rankPart(batch, 1, 2) == (std::vector<int64_t> { 9, 2, 7 }));
        for (int64_t world = 1; world <= 7; ++world) {
            std::vector<int64_t> all;
            for (int64_t rank = 0; rank < world; ++rank) {
                const auto part = data::rankPart(batch, rank, world);
                QVERIFY(
                    std::abs(static_cast<double>(part.size()) - 7.0 / static_cast<double>(world))
                    < 1);
                all.insert(all.end(), part.begin(), part.end());
            }
            QVERIFY(all == batch);
        }
    }

    void batchSmallerThanTheGroup_goesWholeToEveryRank()
    {
        const std::vector<int64_t> batch { 5, 3, 8 };
        for (int64_t rank = 0; rank < 4; ++rank)
            QVERIFY(data::rankPart(batch, rank, 4) == batch);
        QVERIFY(data::rankPart({}, 1, 2).empty());
    }
};

EARWRIGHT_TEST(TstBatching)
#include "tst_batching.moc"
