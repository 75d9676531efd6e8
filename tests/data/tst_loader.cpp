#include "audio_fixture.h"

#include "core/base/file.h"
#include "core/data/loader.h"
#include "core/data/speed.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <sys/resource.h>

using namespace earwright;
using data::Batch;
using data::Loader;
using data::LoaderOptions;
using data::Utterance;

using Utterances = std::shared_ptr<const std::vector<Utterance>>;
using Batches = std::vector<std::vector<int64_t>>;

constexpr int kPatienceMs = 60000; // of a busy machine

/// While it lives, this process may have at most so many bytes.
class MemoryLimit final {
public:
    explicit MemoryLimit(rlim_t bytes)
    {
        getrlimit(RLIMIT_AS, &m_before);
        const rlimit limit { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_AS, &limit);
    }
    ~MemoryLimit() { setrlimit(RLIMIT_AS, &m_before); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    rlimit m_before {};
};

class TstLoader : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    Utterances m_set; ///< 23 files of 100, 110, … samples at 8 kHz, texts "a", "ab", "abc", "a", …
    std::shared_ptr<const data::TextEncoder> m_encoder;
    Batches m_batches;

    std::filesystem::path path(int i) const
    {
        return (m_dir.path() + "/音 %1.wav").arg(i).toStdString();
    }

    Loader loader(LoaderOptions options) const
    {
        return Loader(m_set, m_batches, m_encoder, std::move(options));
    }

    static size_t samplesOf(const std::vector<int64_t>& batch)
    {
        size_t samples = 0;
        for (const int64_t index : batch)
            samples += 100 + 10 * static_cast<size_t>(index);
        return samples;
    }

    size_t allSamples() const
    {
        size_t samples = 0;
        for (const std::vector<int64_t>& batch : m_batches)
            samples += samplesOf(batch);
        return samples;
    }

    static LoaderOptions at8k() { return { .sampleRateHz = 8000 }; }

    /// The whole epoch, or what came before the error.
    static std::vector<Batch> drain(Loader& loader, std::string* error = nullptr)
    {
        std::vector<Batch> batches;
        for (;;) {
            Result<std::optional<Batch>> next = loader.next();
            if (!next) {
                if (error != nullptr)
                    *error = next.error().message;
                return batches;
            }
            if (!*next)
                return batches;
            batches.push_back(std::move(**next));
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        auto set = std::make_shared<std::vector<Utterance>>();
        for (int i = 0; i < 23; ++i) {
            const auto size = static_cast<size_t>(100 + 10 * i);
            QVERIFY(tests::writeSound(
                path(i), tests::sine(size, 100.0 + i, 8000), { .sampleRateHz = 8000 }));
            Utterance utterance;
            utterance.id = "u" + std::to_string(i);
            utterance.wav = path(i).string();
            utterance.durationSeconds = static_cast<double>(size) / 8000;
            utterance.text = std::string("abc").substr(0, static_cast<size_t>(i % 3 + 1));
            utterance.line = i + 2;
            set->push_back(utterance);
        }
        m_set = set;
        m_encoder
            = std::make_shared<const data::TextEncoder>(data::TextEncoder::fromTexts({ "abc" }, 0));
        m_batches = data::makeBatches(*m_set, { .sorting = "random", .batchSize = 4 }, 3, 1);
    }

    void listOfABatch_hasHotwordsOfOtherTextsToo()
    {
        const auto hotwords = [this](int64_t distractors, int64_t rank, int workers) {
            LoaderOptions options = at8k();
            options.numWorkers = workers;
            options.rank = rank;
            options.worldSize = 2;
            options.hotwords = { .shortest = 1, .longest = 3, .distractors = distractors };
            Loader two = loader(options);
            std::vector<std::vector<std::vector<int64_t>>> lists;
            for (const Batch& batch : drain(two))
                lists.push_back(batch.hotwords);
            return lists;
        };
        const auto own = hotwords(0, 0, 0);
        const auto all = hotwords(40, 0, 0);
        QVERIFY(all == hotwords(40, 1, 2));
        QCOMPARE(all.size(), own.size());
        for (size_t batch = 0; batch < all.size(); ++batch) {
            QVERIFY(all[batch].size() > own[batch].size() + 15); // three quarters of 40
            QVERIFY(std::equal(own[batch].rbegin(), own[batch].rend(), all[batch].rbegin()));
            QVERIFY(batch == 0 || all[batch] != all[0]);
        }
    }

    void batch_isPaddedWithRelativeLengths()
    {
        Loader two(m_set, { { 0, 2, 1 } }, m_encoder, at8k());
        const std::vector<Batch> batches = drain(two);
        QCOMPARE(batches.size(), size_t(1));
        const Batch& batch = batches.front();
        QVERIFY(batch.wavs_BT.sizes() == (std::vector<int64_t> { 3, 120 }));
        QVERIFY(torch::equal(batch.wavLens_B, torch::tensor({ 100.0F / 120, 1.0F, 110.0F / 120 })));
        QVERIFY(torch::equal(batch.tokens_BL,
            torch::tensor({ { 1, 0, 0 }, { 1, 2, 3 }, { 1, 2, 0 } }, torch::kInt64)));
        QVERIFY(torch::equal(batch.tokenLens_B, torch::tensor({ 1.0F / 3, 1.0F, 2.0F / 3 })));
        QCOMPARE(batch.wavs_BT.index({ 0, torch::indexing::Slice(100) }).abs().max().item<float>(),
            0.0F);
        QVERIFY(batch.wavs_BT.abs().max().item<float>() > 0.4F);
        QVERIFY(batch.ids == (std::vector<std::string> { "u0", "u2", "u1" }));
        QVERIFY(batch.indices == (std::vector<int64_t> { 0, 2, 1 }));
        QCOMPARE(batch.audioSeconds, 330.0 / 8000);
        QCOMPARE(batch.wholeSize, 3);
        QCOMPARE(batch.tokens, 6);
        QCOMPARE(batch.wholeTokens, 6);
    }

    void anyNumberOfWorkers_deliversTheSameInOrder_data()
    {
        QTest::addColumn<int>("numWorkers");
        QTest::addColumn<int>("prefetchFactor");
        QTest::newRow("one, one ahead") << 1 << 1;
        QTest::newRow("two") << 2 << 4;
        QTest::newRow("three") << 3 << 2;
        QTest::newRow("four, one ahead each") << 4 << 1;
        QTest::newRow("more than batches") << 12 << 4;
    }

    void anyNumberOfWorkers_deliversTheSameInOrder()
    {
        QFETCH(int, numWorkers);
        QFETCH(int, prefetchFactor);
        LoaderOptions inlineOptions = at8k();
        inlineOptions.numWorkers = 0;
        inlineOptions.speeds = { 0.9, 1.0, 1.1 };
        LoaderOptions options = inlineOptions;
        options.numWorkers = numWorkers;
        options.prefetchFactor = prefetchFactor;
        Loader expectedLoader = loader(inlineOptions);
        Loader actualLoader = loader(options);
        const std::vector<Batch> expected = drain(expectedLoader);
        const std::vector<Batch> actual = drain(actualLoader);
        QCOMPARE(expected.size(), m_batches.size());
        QCOMPARE(actual.size(), m_batches.size());
        for (size_t i = 0; i < actual.size(); ++i) {
            QVERIFY(actual[i].indices == m_batches[i]);
            QVERIFY(torch::equal(actual[i].wavs_BT, expected[i].wavs_BT));
            QVERIFY(torch::equal(actual[i].wavLens_B, expected[i].wavLens_B));
            QVERIFY(torch::equal(actual[i].tokens_BL, expected[i].tokens_BL));
        }
        QVERIFY(actualLoader.waitSeconds() > 0);
    }

    void labels_areTokensOfEachRow()
    {
        auto set = std::make_shared<std::vector<Utterance>>(*m_set);
        set->front().labels = "b\n"; // of the second none
        const auto read = [&] {
            LoaderOptions options = at8k();
            options.utteranceLabels = { { "first", "a" }, { "second", "c", { "b", "c" } } };
            return Loader(set, { { 0, 1 } }, m_encoder, options).next();
        };
        const auto token
            = [this](const std::string& label) { return m_encoder->encode(label)->front(); };
        const Result<std::optional<Batch>> batch = read();
        QVERIFY(batch && *batch);
        QVERIFY((*batch)->labels
            == (std::vector<std::vector<int64_t>> {
                { token("b"), token("c") }, { token("a"), token("c") } }));
        for (const auto& [labels, message] :
            { std::pair { "q\n", "the label 'q' of 'first' is none of the tokens" },
                std::pair { "\na", "the label 'a' of 'second' is none of b, c" } }) {
            set->front().labels = labels;
            const Result<std::optional<Batch>> wrong = read();
            QVERIFY(!wrong);
            QVERIFY2(wrong.error().message.find(message) != std::string::npos,
                wrong.error().message.c_str());
        }
    }

    void ranks_joinToTheBatchOfOneRank()
    {
        LoaderOptions options = at8k();
        options.speeds = { 0.9, 1.0, 1.1 };
        Loader wholeLoader = loader(options);
        const std::vector<Batch> whole = drain(wholeLoader);
        std::vector<std::vector<Batch>> parts;
        options.worldSize = 3;
        for (options.rank = 0; options.rank < 3; ++options.rank) {
            Loader part = loader(options);
            parts.push_back(drain(part));
        }
        for (size_t i = 0; i < whole.size(); ++i) {
            const auto join = [&](auto member) {
                return torch::cat(
                    { parts[0][i].*member, parts[1][i].*member, parts[2][i].*member });
            };
            QVERIFY(torch::equal(join(&Batch::wavs_BT), whole[i].wavs_BT));
            QVERIFY(torch::equal(join(&Batch::wavLens_B), whole[i].wavLens_B));
            QVERIFY(torch::equal(join(&Batch::tokens_BL), whole[i].tokens_BL));
            QCOMPARE(parts[2][i].wholeSize, whole[i].wholeSize);
            QCOMPARE(parts[2][i].wholeTokens, whole[i].tokens);
            QCOMPARE(std::ssize(parts[2][i].wholeRows), whole[i].wholeSize);
            for (size_t row = 0; row < whole[i].wholeRows.size(); ++row) {
                const data::RowSize& size = whole[i].wholeRows[row];
                QCOMPARE(parts[2][i].wholeRows[row].samples, size.samples);
                QCOMPARE(parts[2][i].wholeRows[row].ctcFrames, size.ctcFrames);
                const int64_t width = whole[i].wavs_BT.size(1);
                const float length = whole[i].wavLens_B[static_cast<int64_t>(row)].item<float>();
                QCOMPARE(size.samples, int64_t { std::lround(length * static_cast<float>(width)) });
            }
        }
    }

    void fewerUtterancesThanRanks_goWholeToEveryRank()
    {
        Loader aloneLoader(m_set, { { 5, 7 } }, m_encoder, at8k());
        const Batch alone = std::move(drain(aloneLoader).front());
        LoaderOptions options = at8k();
        options.worldSize = 3;
        for (options.rank = 0; options.rank < 3; ++options.rank) {
            Loader part(m_set, { { 5, 7 } }, m_encoder, options);
            const std::vector<Batch> batches = drain(part);
            QCOMPARE(batches.size(), size_t(1));
            QCOMPARE(batches.front().wholeSize, 2);
            QVERIFY(batches.front().indices == alone.indices);
            QVERIFY(torch::equal(batches.front().wavs_BT, alone.wavs_BT));
            QVERIFY(torch::equal(batches.front().tokens_BL, alone.tokens_BL));
            QCOMPARE(batches.front().audioSeconds, alone.audioSeconds);
        }
    }

    void lastBatchOfAnEpoch_isOnEveryRank()
    {
        const Batches batches
            = data::makeBatches(*m_set, { .sorting = "ascending", .batchSize = 11 }, 3, 1);
        QCOMPARE(batches.back().size(), size_t(1)); // 23 utterances
        LoaderOptions options = at8k();
        options.worldSize = 2;
        for (options.rank = 0; options.rank < 2; ++options.rank) {
            Loader part(m_set, batches, m_encoder, options);
            const std::vector<Batch> found = drain(part);
            QCOMPARE(found.size(), batches.size());
            QVERIFY(found.back().indices == batches.back());
            for (const Batch& batch : found)
                QVERIFY(!batch.ids.empty());
        }
    }

    /// A rank that is slow to ask finds its batches ready.
    void slowConsumer_findsEveryBatchRead()
    {
        LoaderOptions options = at8k();
        options.numWorkers = 2;
        options.prefetchFactor = 8; // more than there are batches
        options.cache = std::make_shared<data::AudioCache>();
        Loader ahead = loader(options);
        QTRY_COMPARE_WITH_TIMEOUT(options.cache->bytes(), allSamples() * sizeof(float),
            kPatienceMs); // every file was read, nobody asked yet
        QCOMPARE(drain(ahead).size(), m_batches.size());
    }

    void prefetch_isBounded()
    {
        LoaderOptions options = at8k();
        options.numWorkers = 1;
        options.prefetchFactor = 2;
        options.cache = std::make_shared<data::AudioCache>();
        Loader ahead = loader(options);
        const size_t ofTwo = (samplesOf(m_batches[0]) + samplesOf(m_batches[1])) * sizeof(float);
        QTRY_VERIFY_WITH_TIMEOUT(options.cache->bytes() >= ofTwo, kPatienceMs);
        QCOMPARE(options.cache->bytes(), ofTwo);
        QCOMPARE(drain(ahead).size(), m_batches.size());
    }

    void otherRate_isResampled()
    {
        Loader twice(m_set, { { 0 } }, m_encoder, { .sampleRateHz = 16000 });
        QCOMPARE(drain(twice).front().wavs_BT.size(1), 200);
    }

    void badFile_isTheErrorOfItsBatchNamingTheUtterance()
    {
        auto set = std::make_shared<std::vector<Utterance>>(*m_set);
        set->at(static_cast<size_t>(m_batches[2][1])).wav = "/nowhere/x.wav";
        const std::string id = set->at(static_cast<size_t>(m_batches[2][1])).id;
        Loader broken(set, m_batches, m_encoder, at8k());
        std::string error;
        QCOMPARE(drain(broken, &error).size(), size_t(2));
        QVERIFY2(error.find("utterance '" + id + "' (manifest line") == 0, error.c_str());
        QVERIFY2(error.find("/nowhere/x.wav': no such file") != std::string::npos, error.c_str());
    }

    void otherRanksBadFile_isAnErrorOnEveryRank()
    {
        auto set = std::make_shared<std::vector<Utterance>>(*m_set);
        set->at(0).wav = "/nowhere/x.wav";
        LoaderOptions options = at8k();
        options.worldSize = 2;
        options.rank = 1;
        Loader other(set, { { 0, 1 } }, m_encoder, options);
        std::string error;
        QVERIFY(drain(other, &error).empty());
        QVERIFY2(error.find("utterance 'u0'") == 0, error.c_str());
    }

    /// Its filters would take 80 GB.
    void fileThatNeedsTooMuchMemory_isNamed()
    {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
        QSKIP("a sanitizer ends the process where memory runs out");
#endif
        const MemoryLimit limited(rlim_t(64) << 30);
        Loader loader(m_set, { { 3 } }, m_encoder, { .sampleRateHz = 200'000'003 });
        std::string error;
        QVERIFY(drain(loader, &error).empty());
        QVERIFY2(error.find("utterance 'u3' (manifest line") == 0, error.c_str());
        QVERIFY2(error.find(m_set->at(3).wav) != std::string::npos, error.c_str());
    }

    void unknownCharacter_isNamedWithItsUtterance()
    {
        auto set = std::make_shared<std::vector<Utterance>>(*m_set);
        set->at(7).text = "aß";
        Loader broken(set, { { 1 }, { 7 } }, m_encoder, at8k());
        std::string error;
        QCOMPARE(drain(broken, &error).size(), size_t(1));
        QCOMPARE(error,
            std::string(
                "utterance 'u7' (manifest line 9): the character 'ß' is not in the label encoder"));
    }

    void droppedLoader_stopsItsThreads()
    {
        for (int i = 0; i < 20; ++i) {
            LoaderOptions options = at8k();
            options.numWorkers = 3;
            options.prefetchFactor = 1;
            Loader early = loader(options);
            if (i % 2 == 1)
                QVERIFY(early.next());
        } // hangs here, and the test times out, if a worker is left waiting
    }

    void sharedCache_readsEveryFileOnce()
    {
        LoaderOptions options = at8k();
        options.cache = std::make_shared<data::AudioCache>();
        Loader first = loader(options);
        const std::vector<Batch> expected = drain(first);
        QCOMPARE(options.cache->bytes(), allSamples() * sizeof(float));
        auto moved = std::make_shared<std::vector<Utterance>>(*m_set);
        std::filesystem::rename(path(3), m_dir.filePath("away.wav").toStdString());
        Loader second(moved, m_batches, m_encoder, options);
        const std::vector<Batch> actual = drain(second);
        std::filesystem::rename(m_dir.filePath("away.wav").toStdString(), path(3));
        QCOMPARE(actual.size(), expected.size());
    }

    void speed_isChosenBySeedEpochAndId()
    {
        const std::vector<double> speeds { 0.9, 1.0, 1.1 };
        std::set<double> seen;
        int numChanged = 0;
        for (int i = 0; i < 300; ++i) {
            const std::string id = "u" + std::to_string(i);
            seen.insert(data::chooseSpeed(speeds, 1, 1, id));
            QCOMPARE(data::chooseSpeed(speeds, 1, 1, id), data::chooseSpeed(speeds, 1, 1, id));
            numChanged += data::chooseSpeed(speeds, 1, 1, id) != data::chooseSpeed(speeds, 1, 2, id)
                ? 1
                : 0;
        }
        QCOMPARE(seen.size(), size_t(3));
        QVERIFY2(numChanged > 150 && numChanged < 250, qPrintable(QString::number(numChanged)));
        QCOMPARE(data::chooseSpeed({}, 1, 1, "a"), 1.0);
    }

    void speed_changesLengthAndSeconds()
    {
        LoaderOptions options = at8k();
        options.speeds = { 0.5 };
        Loader slow(m_set, { { 0, 1 } }, m_encoder, options);
        const std::vector<Batch> batches = drain(slow);
        QVERIFY(batches.front().wavs_BT.sizes() == (std::vector<int64_t> { 2, 220 }));
        QCOMPARE(batches.front().audioSeconds, 420.0 / 8000);
    }
};

EARWRIGHT_TEST(TstLoader)
#include "tst_loader.moc"
