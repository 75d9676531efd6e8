#include "core/base/text.h"
#include "core/decode/ctc_beam.h"
#include "tests/registry.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace earwright;
using decode::CtcHypothesis;
using decode::CtcSearchSetting;

namespace {

using Search = std::vector<CtcHypothesis> (*)(const CtcSearchSetting&, const decode::LogProbs&);
using Frames = std::vector<std::vector<float>>;

/// Nothing is pruned.
const decode::CtcBeamOptions kExhaustive { .beamSize = 10000,
    .beamPruneLogp = -1e4,
    .tokenPruneMinLogp = -1e4,
    .pruneHistory = false,
    .topk = 10000 };

CtcSearchSetting setting(const std::vector<std::string>& labels,
    const decode::CtcBeamOptions& options, const std::string& space = " ")
{
    return { .vocabulary = decode::CtcVocabulary(labels, 0, space),
        .options = options,
        .scorer = nullptr,
        .hotwords = nullptr };
}

std::vector<CtcHypothesis> run(Search search, const CtcSearchSetting& setting, const Frames& frames)
{
    std::vector<float> data;
    for (const std::vector<float>& frame : frames)
        data.insert(data.end(), frame.begin(), frame.end());
    const auto width = frames.empty() ? 0 : std::ssize(frames.front());
    return search(setting,
        { .data = data.data(), .frames = std::ssize(frames), .stride = width, .width = width });
}

/// Log-probabilities that look random and are the same everywhere.
Frames scattered(int frames, int width, unsigned seed)
{
    Frames all;
    for (int t = 0; t < frames; ++t) {
        std::vector<float> frame;
        double sum = 0;
        for (int v = 0; v < width; ++v) {
            seed = seed * 1664525u + 1013904223u;
            frame.push_back(static_cast<float>(seed >> 8) / 4e6F);
            sum += std::exp(static_cast<double>(frame.back()));
        }
        for (float& value : frame)
            value -= static_cast<float>(std::log(sum));
        all.push_back(std::move(frame));
    }
    return all;
}

/// What an alignment spells.
std::string collapsed(const std::vector<int>& path, const std::vector<std::string>& labels)
{
    std::string text;
    for (size_t t = 0; t < path.size(); ++t) {
        if (path[t] != 0 && (t == 0 || path[t] != path[t - 1]))
            text += labels[static_cast<size_t>(path[t])];
    }
    return text;
}

/// Every text with its probability, summed over all alignments one by one.
std::map<std::string, double> allTexts(const Frames& frames, const std::vector<std::string>& labels)
{
    std::map<std::string, double> texts;
    std::vector<int> path(frames.size());
    const int width = static_cast<int>(labels.size());
    for (;;) {
        double logProb = 0;
        for (size_t t = 0; t < path.size(); ++t)
            logProb += static_cast<double>(frames[t][static_cast<size_t>(path[t])]);
        texts[collapsed(path, labels)] += std::exp(logProb);
        size_t t = 0;
        while (t < path.size() && ++path[t] == width)
            path[t++] = 0;
        if (t == path.size())
            return texts;
    }
}

/// A frame that is sure of one output.
std::vector<float> sure(size_t token, size_t width)
{
    std::vector<float> frame(width, -20.0F);
    frame[token] = 0;
    return frame;
}

} // namespace

class TstCtcBeam : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutPruning_allAlignmentsAreSummed_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("seed");
        for (const int seed : { 1, 2, 3, 4, 5 }) {
            QTest::addRow("beams %d", seed) << 0 << seed;
            QTest::addRow("prefixes %d", seed) << 1 << seed;
        }
    }

    /// Of ctcBeamSearch also where "ab" and "a" + "b" spell the same.
    void withoutPruning_allAlignmentsAreSummed()
    {
        QFETCH(int, which);
        QFETCH(int, seed);
        const std::vector<std::string> labels { "<blank>", "a", "b", which == 0 ? "ab" : "c" };
        const Frames frames = scattered(5, 4, static_cast<unsigned>(seed));
        const std::map<std::string, double> expected = allTexts(frames, labels);
        const auto found = run(which == 0 ? decode::ctcBeamSearch : decode::ctcPrefixBeamSearch,
            setting(labels, kExhaustive, "|"), frames);
        QCOMPARE(found.size(), expected.size());
        double last = 1;
        for (const CtcHypothesis& hypothesis : found) {
            QVERIFY(expected.contains(hypothesis.text));
            const double probability = std::exp(hypothesis.score);
            QVERIFY(std::abs(probability - expected.at(hypothesis.text)) < 1e-5);
            QVERIFY(probability <= last);
            last = probability;
        }
    }

    void words_haveTheirFrames()
    {
        const std::vector<std::string> labels { "<blank>", "a", "b", " " };
        const Frames frames { sure(0, 4), sure(1, 4), sure(1, 4), sure(3, 4), sure(0, 4),
            sure(2, 4), sure(0, 4), sure(1, 4) };
        const auto found = run(decode::ctcBeamSearch, setting(labels, {}), frames);
        QCOMPARE(found.size(), size_t { 1 });
        QCOMPARE(found[0].text, std::string("a ba"));
        QCOMPARE(found[0].words.size(), size_t { 2 });
        QCOMPARE(found[0].words[0].begin, 1);
        QCOMPARE(found[0].words[0].end, 3);
        QCOMPARE(found[0].words[1].begin, 5);
        QCOMPARE(found[0].words[1].end, 8);
    }

    void sentencePieces_beginWordsAtTheMark()
    {
        const std::vector<std::string> labels { "<blank>", "▁he", "llo", "▁", "x" };
        const Frames frames { sure(1, 5), sure(2, 5), sure(3, 5), sure(4, 5), sure(1, 5) };
        for (const Search search : { &decode::ctcBeamSearch, &decode::ctcPrefixBeamSearch }) {
            const auto found = run(search, setting(labels, {}), frames);
            QVERIFY(!found.empty());
            QCOMPARE(found[0].text, std::string("hello x he"));
        }
    }

    /// Characters with a label of a blank: blanks at the ends or in a row are no other texts.
    void blanksThatNobodySees_makeNoTextTwice()
    {
        const std::vector<std::string> labels { "<blank>", "数", "字", " " };
        CtcSearchSetting characters = setting(labels, kExhaustive);
        characters.vocabulary = decode::CtcVocabulary::ofCharacters(labels, 0);
        const Frames frames = scattered(5, 4, 3);
        std::map<std::string, double> expected;
        for (const auto& [text, probability] : allTexts(frames, labels))
            expected[join(splitAtBlanks(text), " ")] += probability;
        const auto found = run(decode::ctcBeamSearch, characters, frames);
        QCOMPARE(found.size(), expected.size());
        for (const CtcHypothesis& hypothesis : found) {
            QVERIFY2(expected.contains(hypothesis.text), hypothesis.text.c_str());
            const double probability = std::exp(hypothesis.score);
            QVERIFY(std::abs(probability - expected.at(hypothesis.text)) < 1e-5);
        }
    }

    /// BERT's ends of a text, of which nothing is written.
    void emptyLabels_spellNothing()
    {
        const std::vector<std::string> labels { "<blank>", "", "你", "好" };
        CtcSearchSetting characters = setting(labels, {});
        characters.vocabulary = decode::CtcVocabulary::ofCharacters(labels, 0);
        const Frames frames { sure(1, 4), sure(2, 4), sure(3, 4), sure(1, 4) };
        const auto found = run(decode::ctcBeamSearch, characters, frames);
        QVERIFY(!found.empty());
        QCOMPARE(found[0].text, std::string("你好"));
        QCOMPARE(found[0].words.size(), size_t(2));
    }

    void blankAtTheEnd_makesNoTextTwice()
    {
        const std::vector<std::string> labels { "<blank>", "a", "b", " " };
        std::map<std::string, int> times;
        for (const CtcHypothesis& hypothesis :
            run(decode::ctcBeamSearch, setting(labels, kExhaustive), scattered(5, 4, 3)))
            QVERIFY2(++times[hypothesis.text] == 1, hypothesis.text.c_str());
        QVERIFY(times.contains("a b"));
    }

    void noFrames_giveTheEmptyText()
    {
        for (const Search search : { &decode::ctcBeamSearch, &decode::ctcPrefixBeamSearch }) {
            const auto found = run(search, setting({ "<blank>", "a" }, {}), {});
            QCOMPARE(found.size(), size_t { 1 });
            QVERIFY(found[0].text.empty());
            QCOMPARE(found[0].score, 0.0);
        }
    }

    void notANumber_givesNothing()
    {
        const Frames frames { sure(1, 2), { NAN, NAN }, sure(1, 2) };
        for (const Search search : { &decode::ctcBeamSearch, &decode::ctcPrefixBeamSearch })
            QVERIFY(run(search, setting({ "<blank>", "a" }, {}), frames).empty());
    }

    void outputsBeyondTheVocabulary_areNotSearched()
    {
        const Frames frames { { -1.0F, -1.5F, -0.1F }, { -0.5F, -3.0F, -4.0F } };
        for (const Search search : { &decode::ctcBeamSearch, &decode::ctcPrefixBeamSearch }) {
            const auto found = run(search, setting({ "<blank>", "a" }, kExhaustive), frames);
            QCOMPARE(found.size(), size_t { 2 });
        }
    }

    void beamSize_limitsTheHypotheses()
    {
        const std::vector<std::string> labels { "<blank>", "a", "b", " ", "c" };
        const Frames frames = scattered(30, 5, 7);
        decode::CtcBeamOptions options { .beamSize = 4, .pruneHistory = false, .topk = 100 };
        QVERIFY(run(decode::ctcBeamSearch, setting(labels, options), frames).size() <= 4);
        options.topk = 2;
        QVERIFY(run(decode::ctcBeamSearch, setting(labels, options), frames).size() <= 2);
    }
};

EARWRIGHT_TEST(TstCtcBeam)
#include "tst_ctc_beam.moc"
