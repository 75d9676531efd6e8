#include "core/base/file.h"
#include "core/data/hotwords.h"
#include "core/data/text_encoder.h"
#include "tests/registry.h"

#include <QTest>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace earwright;
using data::HotwordSpan;

namespace {

using Json = nlohmann::json;

/// Plays draws back that upstream made; what is asked for must be what upstream asked for.
data::Chance playback(std::deque<Json> draws)
{
    const auto left = std::make_shared<std::deque<Json>>(std::move(draws));
    const auto next = [left] {
        if (left->empty())
            throw std::runtime_error("more draws than upstream's");
        const Json draw = left->front();
        left->pop_front();
        return draw;
    };
    return { [next] { return next().get<double>(); },
        [next](int64_t low, int64_t high) {
            const Json draw = next();
            if (draw.at(0) != low || draw.at(1) != high)
                throw std::runtime_error("upstream draws from " + draw.dump());
            return draw.at(2).get<int64_t>();
        } };
}

} // namespace

class TstHotwordSampling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedDraws_giveUpstreamsSpans_data();
    void recordedDraws_giveUpstreamsSpans();
    void spans_lieInTheTextAndDoNotOverlap_data();
    void spans_lieInTheTextAndDoNotOverlap();
    void words_areSampledWhole();
    void samplingOfNoWords_isAnError();
    void spansOfAHotword_areAllItsPlaces();
    void sharesOfTexts_areUpstreams();
    void sameArguments_giveTheSame();
};

void TstHotwordSampling::recordedDraws_giveUpstreamsSpans_data()
{
    QTest::addColumn<QString>("text");
    const Result<std::string> file = readFile(EARWRIGHT_CASES_DIR "/data/hotword_spans.json");
    QVERIFY(file);
    const Json cases = Json::parse(*file).at("cases");
    QVERIFY(!cases.empty());
    for (size_t i = 0; i < cases.size(); ++i)
        QTest::addRow("%zu", i) << QString::fromStdString(cases[i].dump());
}

void TstHotwordSampling::recordedDraws_giveUpstreamsSpans()
{
    QFETCH(QString, text);
    const Json recorded = Json::parse(text.toStdString());
    Json spans = Json::array();
    try {
        for (const HotwordSpan& span : data::sampleHotwords(recorded.at("length").get<int64_t>(),
                 {}, playback({ recorded.at("draws").begin(), recorded.at("draws").end() })))
            spans.push_back({ span.first, span.last });
    } catch (const std::exception& error) {
        QFAIL(error.what());
    }
    QCOMPARE(spans.dump(), recorded.at("spans").dump());
}

void TstHotwordSampling::spans_lieInTheTextAndDoNotOverlap_data()
{
    QTest::addColumn<int>("shortest");
    QTest::addColumn<int>("longest");
    QTest::newRow("upstream's") << 2 << 8;
    QTest::newRow("pairs") << 2 << 2;
    QTest::newRow("single tokens") << 1 << 1;
    QTest::newRow("long") << 6 << 9;
}

void TstHotwordSampling::spans_lieInTheTextAndDoNotOverlap()
{
    QFETCH(int, shortest);
    QFETCH(int, longest);
    const data::HotwordSampling sampling { shortest, longest };
    for (int64_t length = 0; length < 40; ++length) {
        for (uint64_t seed = 0; seed < 200; ++seed) {
            int64_t free = 0;
            for (const HotwordSpan& span :
                data::sampleHotwords(length, sampling, data::chanceOf(seed, 1, "u"))) {
                QVERIFY(span.first >= free);
                QVERIFY(span.last < length);
                QVERIFY(span.last - span.first + 1 >= shortest);
                QVERIFY(span.last - span.first + 1 <= longest);
                free = span.last + 1;
            }
        }
    }
}

void TstHotwordSampling::words_areSampledWhole()
{
    const std::vector<std::string> labels { "<blank>", "▁", "a", "b", "▁c" };
    const std::vector<int64_t> text { 2, 3, 1, 2, 1, 1, 4, 3, 2, 4 }; // ab a cba c
    const std::vector<HotwordSpan> words = data::wordsOf(text, labels);
    const auto characters = data::TextEncoder::fromTexts({ "北京 OPEN  数" }, 0);
    const auto spelled = [](const std::vector<HotwordSpan>& spans) {
        std::string all;
        for (const HotwordSpan& span : spans)
            all += std::to_string(span.first) + "-" + std::to_string(span.last) + " ";
        return all;
    };
    QCOMPARE(spelled(words), std::string("0-1 3-3 6-8 9-9 "));
    QCOMPARE(spelled(data::wordsOf(*characters.encode("北京 OPEN  数"), characters.searchLabels())),
        std::string("0-1 3-6 9-9 "));
    std::map<std::string, int> counts;
    constexpr int kTexts = 4000;
    for (uint64_t i = 0; i < kTexts; ++i)
        ++counts[spelled(
            data::sampleWords(words, { .shortest = 2, .longest = 3 }, data::chanceOf(i, 1, "u")))];
    // A quarter has none; of the rest a tenth has both; the others share. 5 deviations: 158.
    QVERIFY(std::abs(counts[""] - kTexts / 4) < 158);
    QVERIFY(std::abs(counts["0-1 "] - kTexts * 3375 / 10000) < 158);
    QVERIFY(std::abs(counts["6-8 "] - kTexts * 3375 / 10000) < 158);
    QVERIFY(std::abs(counts["0-1 6-8 "] + counts["6-8 0-1 "] - kTexts * 75 / 1000) < 158);
    QVERIFY(data::sampleWords(words, { .shortest = 4 }, data::chanceOf(1, 1, "u")).empty());
}

void TstHotwordSampling::samplingOfNoWords_isAnError()
{
    const data::HotwordSampling words { .areWords = true };
    const std::vector<std::string> spaced { "北京 上海" };
    QVERIFY(data::checkSampling(words, data::TextEncoder::fromTexts(spaced, 0)));
    const auto solid = data::TextEncoder::fromTexts({ "北京上海" }, 0);
    QVERIFY(data::checkSampling({}, solid));
    QVERIFY(!data::checkSampling(words, solid));
    const auto whole = data::TextEncoder::fromWords(spaced, { .blank = 0 });
    QVERIFY(!data::checkSampling(words, whole));
    QVERIFY(data::checkSampling({ .shortest = 1, .areWords = true }, whole));
}

void TstHotwordSampling::spansOfAHotword_areAllItsPlaces()
{
    const auto places = [](const std::vector<int64_t>& hotword, const std::vector<int64_t>& text) {
        std::string all;
        for (const HotwordSpan& span : data::spansOf(hotword, text))
            all += std::to_string(span.first) + "-" + std::to_string(span.last) + " ";
        return all;
    };
    QCOMPARE(places({ 5, 6 }, { 5, 6, 5, 5, 6 }), std::string("0-1 3-4 "));
    QCOMPARE(places({ 5, 5 }, { 5, 5, 5 }), std::string("0-1 1-2 "));
    QCOMPARE(places({ 7 }, { 5, 6 }), std::string());
    QCOMPARE(places({ 5, 6 }, {}), std::string());
}

void TstHotwordSampling::sharesOfTexts_areUpstreams()
{
    std::map<size_t, int> counts;
    constexpr int kTexts = 20000;
    for (uint64_t i = 0; i < kTexts; ++i)
        ++counts[data::sampleHotwords(
            20, {}, data::chanceOf(1, 1, "utterance " + std::to_string(i)))
                     .size()];
    // 4 deviations of a share of 0.25 or 0.075 are 245 and 149 texts.
    QVERIFY(std::abs(counts[0] - kTexts / 4) < 245);
    QVERIFY(std::abs(counts[2] - kTexts * 75 / 1000) < 149);
}

void TstHotwordSampling::sameArguments_giveTheSame()
{
    const auto drawn = [](uint64_t seed, int64_t epoch, const std::string& id) {
        std::string text;
        for (int i = 0; i < 20; ++i)
            for (const HotwordSpan& span :
                data::sampleHotwords(20, {}, data::chanceOf(seed, epoch, id + std::to_string(i))))
                text += std::to_string(span.first) + "-" + std::to_string(span.last) + " ";
        return text;
    };
    QCOMPARE(drawn(1, 1, "a"), drawn(1, 1, "a"));
    const std::set<std::string> all { drawn(1, 1, "a"), drawn(2, 1, "a"), drawn(1, 2, "a"),
        drawn(1, 1, "b") };
    QCOMPARE(all.size(), size_t(4));
}

EARWRIGHT_TEST(TstHotwordSampling)
#include "tst_hotword_sampling.moc"
