#include "core/base/file.h"
#include "core/base/text.h"
#include "core/score/text_scores.h"
#include "core/score/top_errors.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using score::Scored;
using Tokens = std::vector<std::string>;

namespace {

std::vector<Scored> readPairs(const std::string& path)
{
    std::vector<Scored> scored;
    const Result<std::string> text = readFile(path);
    if (!text)
        return scored;
    for (const std::string& line : split(*text, '\n')) {
        const Tokens fields = split(line, '|');
        if (fields.size() == 3)
            scored.push_back(
                score::score(fields[0], score::words(fields[1], score::WordSplit::SingleBlanks),
                    score::words(fields[2], score::WordSplit::SingleBlanks)));
    }
    return scored;
}

} // namespace

class TstErrorRate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pairs_giveTheExpectedFile()
    {
        const std::vector<Scored> scored = readPairs(EARWRIGHT_CASES_DIR "/score/pairs.txt");
        QCOMPARE(scored.size(), size_t(5));
        const Result<std::string> expected = readFile(EARWRIGHT_CASES_DIR "/score/pairs.expected");
        QVERIFY(expected);
        QCOMPARE(QString::fromStdString(score::alignmentText(scored)),
            QString::fromStdString(*expected));
    }

    void equalCost_takesInsertionThenDeletionThenPair()
    {
        QCOMPARE(score::score("", { "a", "b" }, { "b", "a" }).operations, "D=I");
        QCOMPARE(score::score("", { "a", "a", "a", "a" }, { "a", "a" }).operations, "==DD");
        QCOMPARE(score::score("", { "x" }, { "x", "x" }).operations, "=I");
        QCOMPARE(score::score("", {}, { "a" }).operations, "I");
        QCOMPARE(score::score("", { "a" }, {}).operations, "D");
        QCOMPARE(score::score("", {}, {}).operations, "");
    }

    void noTokens_givePercentByInsertions()
    {
        QCOMPARE(score::summarise({}).percent(), 0.0);
        QCOMPARE(score::summarise({ score::score("", {}, {}) }).percent(), 0.0);
        QCOMPARE(score::summarise({ score::score("", {}, { "a" }) }).percent(), 100.0);
    }

    void sums_areOverAllUtterances()
    {
        const score::ErrorRate sum
            = score::summarise({ score::score("1", { "a", "b", "c" }, { "a", "c" }),
                score::score("2", { "a" }, { "b", "a" }), score::score("3", { "a" }, { "a" }) });
        QCOMPARE(sum.tokens, 5);
        QCOMPARE(sum.deletions, 1);
        QCOMPARE(sum.insertions, 1);
        QCOMPARE(sum.wrongSentences, 2);
        QCOMPARE(sum.percent(), 40.0);
    }

    /// Upstream's text; speakers without a name are no speakers.
    void worst_areListedHighestFirst()
    {
        const std::vector<Scored> scored { score::score("u1", { "a", "b" }, { "a", "b" }),
            score::score("u2", { "a", "b" }, { "" }), score::score("u3", { "a", "b" }, { "a" }),
            score::score("u4", { "a" }, { "c", "d" }), score::score("u5", { "a" }, { "b" }) };
        const std::string rule = std::string(80, '=') + "\n";
        const std::string expected = rule
            + "UTTERANCES WITH HIGHEST WER\n"
              "Non-empty hypotheses -- utterances for which output was produced:\n"
              "u4 %WER 200.00\nu5 %WER 100.00\n"
              "Empty hypotheses -- utterances for which no output was produced:\nu2 %WER 100.00\n";
        QCOMPARE(QString::fromStdString(score::topErrorText(scored, Tokens(5), 2)),
            QString::fromStdString(expected));
        QCOMPARE(QString::fromStdString(
                     score::topErrorText(scored, { "bob", "bob", "ann", "bob", "" }, 1)),
            QString::fromStdString(rule
                + "UTTERANCES WITH HIGHEST WER\n"
                  "Non-empty hypotheses -- utterances for which output was produced:\n"
                  "u4 %WER 200.00\n"
                  "Empty hypotheses -- utterances for which no output was produced:\n"
                  "u2 %WER 100.00\n"
                + rule + "SPEAKERS WITH HIGHEST WER\nbob %WER 80.00\n"));
        const auto rates = score::bySpeaker(scored, { "ann", "bob", "ann", "ann", "ann" });
        QCOMPARE(rates.size(), size_t(2));
        QCOMPARE(rates[0].first, std::string("bob"));
        QCOMPARE(rates[1].second.tokens, int64_t { 6 });
        QVERIFY(score::topErrors({}, 3).heard.empty());
        QVERIFY(score::topErrorText({}, {}, 3).find("No utterances which had produced output!")
            != std::string::npos);
    }

    void words_areBetweenWhiteSpace()
    {
        constexpr auto kSplit = score::WordSplit::WhiteSpace;
        QVERIFY(score::words(" a \u00a0\tbc\u3000", kSplit) == (Tokens { "a", "bc" }));
        QVERIFY(score::words("", kSplit).empty());
        QVERIFY(score::words(" ", kSplit).empty());
        QVERIFY(score::characters("  a  bc ", kSplit) == (Tokens { "a", "_", "b", "c" }));
        const Scored spaced = score::score(
            "", score::words("THE  QUICK FOX", kSplit), score::words(" THE QUICK FOX", kSplit));
        QCOMPARE(spaced.edits(), 0);
        QCOMPARE(spaced.tokens(), 3);
        QVERIFY(score::score("", { "a" }, score::words(" ", kSplit)).isSilent());
    }

    void text_isSplitAsUpstreamWhereAsked()
    {
        constexpr auto kSplit = score::WordSplit::SingleBlanks;
        QVERIFY(score::wordSplitOf("single_blanks") == kSplit);
        QVERIFY(score::wordSplitOf("white_space") == score::WordSplit::WhiteSpace);
        QVERIFY(score::words("a  bc", kSplit) == (Tokens { "a", "", "bc" }));
        QVERIFY(score::words("", kSplit) == Tokens { "" });
        QVERIFY(score::characters("你  b", kSplit) == (Tokens { "你", "_", "_", "b" }));
        QVERIFY(score::characters("", kSplit).empty());
    }

    /// Thai would have one word a sentence.
    void textsWithoutWords_areJudgedByCharacter()
    {
        const score::TextScores thai = score::scoreTexts(
            { { "a", "น้ำดี", "น้ำ ดี" }, { "b", "ดี", "ดิ" } }, score::WordSplit::WhiteSpace);
        QVERIFY(!thai.haveWords);
        QCOMPARE(score::rateLine(score::summarise(thai.byCharacter)),
            std::string("%WER 33.33 [ 1 / 3, 0 ins, 0 del, 1 sub ]"));
        const score::TextScores english
            = score::scoreTexts({ { "a", "go  on", "go" } }, score::WordSplit::WhiteSpace);
        QVERIFY(english.haveWords);
        QCOMPARE(score::rateLine(score::summarise(english.byWord)),
            std::string("%WER 50.00 [ 1 / 2, 0 ins, 1 del, 0 sub ]"));
    }

    void longPair_hasTheErrorsThatWereMade()
    {
        Tokens reference;
        Tokens hypothesis;
        std::string operations;
        for (int i = 0; i < 2000; ++i) {
            const char made = i % 100 == 25 ? 'D' : i % 100 == 50 ? 'S' : '=';
            reference.push_back(std::to_string(i));
            if (made != 'D')
                hypothesis.push_back(made == 'S' ? "wrong" : reference.back());
            operations += made;
        }
        QCOMPARE(score::score("", reference, hypothesis).operations, operations);
    }
};

EARWRIGHT_TEST(TstErrorRate)
#include "tst_error_rate.moc"
