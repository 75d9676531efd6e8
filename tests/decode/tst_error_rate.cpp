#include "core/base/file.h"
#include "core/base/text.h"
#include "core/decode/text_scores.h"
#include "core/decode/top_errors.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using decode::Scored;
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
                decode::score(fields[0], decode::words(fields[1], decode::WordSplit::SingleBlanks),
                    decode::words(fields[2], decode::WordSplit::SingleBlanks)));
    }
    return scored;
}

} // namespace

class TstErrorRate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pairs_giveTheExpectedFile()
    {
        const std::vector<Scored> scored = readPairs(EARWRIGHT_CASES_DIR "/decode/pairs.txt");
        QCOMPARE(scored.size(), size_t(5));
        const Result<std::string> expected = readFile(EARWRIGHT_CASES_DIR "/decode/pairs.expected");
        QVERIFY(expected);
        QCOMPARE(QString::fromStdString(decode::alignmentText(scored)),
            QString::fromStdString(*expected));
    }

    void equalCost_takesInsertionThenDeletionThenPair()
    {
        QCOMPARE(decode::score("", { "a", "b" }, { "b", "a" }).operations, "D=I");
        QCOMPARE(decode::score("", { "a", "a", "a", "a" }, { "a", "a" }).operations, "==DD");
        QCOMPARE(decode::score("", { "x" }, { "x", "x" }).operations, "=I");
        QCOMPARE(decode::score("", {}, { "a" }).operations, "I");
        QCOMPARE(decode::score("", { "a" }, {}).operations, "D");
        QCOMPARE(decode::score("", {}, {}).operations, "");
    }

    void noTokens_givePercentByInsertions()
    {
        QCOMPARE(decode::summarise({}).percent(), 0.0);
        QCOMPARE(decode::summarise({ decode::score("", {}, {}) }).percent(), 0.0);
        QCOMPARE(decode::summarise({ decode::score("", {}, { "a" }) }).percent(), 100.0);
    }

    void sums_areOverAllUtterances()
    {
        const decode::ErrorRate sum
            = decode::summarise({ decode::score("1", { "a", "b", "c" }, { "a", "c" }),
                decode::score("2", { "a" }, { "b", "a" }), decode::score("3", { "a" }, { "a" }) });
        QCOMPARE(sum.tokens, 5);
        QCOMPARE(sum.deletions, 1);
        QCOMPARE(sum.insertions, 1);
        QCOMPARE(sum.wrongSentences, 2);
        QCOMPARE(sum.percent(), 40.0);
    }

    /// Upstream's text; speakers without a name are no speakers.
    void worst_areListedHighestFirst()
    {
        const std::vector<Scored> scored { decode::score("u1", { "a", "b" }, { "a", "b" }),
            decode::score("u2", { "a", "b" }, { "" }), decode::score("u3", { "a", "b" }, { "a" }),
            decode::score("u4", { "a" }, { "c", "d" }), decode::score("u5", { "a" }, { "b" }) };
        const std::string rule = std::string(80, '=') + "\n";
        const std::string expected = rule
            + "UTTERANCES WITH HIGHEST WER\n"
              "Non-empty hypotheses -- utterances for which output was produced:\n"
              "u4 %WER 200.00\nu5 %WER 100.00\n"
              "Empty hypotheses -- utterances for which no output was produced:\nu2 %WER 100.00\n";
        QCOMPARE(QString::fromStdString(decode::topErrorText(scored, Tokens(5), 2)),
            QString::fromStdString(expected));
        QCOMPARE(QString::fromStdString(
                     decode::topErrorText(scored, { "bob", "bob", "ann", "bob", "" }, 1)),
            QString::fromStdString(rule
                + "UTTERANCES WITH HIGHEST WER\n"
                  "Non-empty hypotheses -- utterances for which output was produced:\n"
                  "u4 %WER 200.00\n"
                  "Empty hypotheses -- utterances for which no output was produced:\n"
                  "u2 %WER 100.00\n"
                + rule + "SPEAKERS WITH HIGHEST WER\nbob %WER 80.00\n"));
        const auto rates = decode::bySpeaker(scored, { "ann", "bob", "ann", "ann", "ann" });
        QCOMPARE(rates.size(), size_t(2));
        QCOMPARE(rates[0].first, std::string("bob"));
        QCOMPARE(rates[1].second.tokens, int64_t { 6 });
        QVERIFY(decode::topErrors({}, 3).heard.empty());
        QVERIFY(decode::topErrorText({}, {}, 3).find("No utterances which had produced output!")
            != std::string::npos);
    }

    void words_areBetweenWhiteSpace()
    {
        constexpr auto kSplit = decode::WordSplit::WhiteSpace;
        QVERIFY(decode::words(" a \u00a0\tbc\u3000", kSplit) == (Tokens { "a", "bc" }));
        QVERIFY(decode::words("", kSplit).empty());
        QVERIFY(decode::words(" ", kSplit).empty());
        QVERIFY(decode::characters("  a  bc ", kSplit) == (Tokens { "a", "_", "b", "c" }));
        const Scored spaced = decode::score(
            "", decode::words("THE  QUICK FOX", kSplit), decode::words(" THE QUICK FOX", kSplit));
        QCOMPARE(spaced.edits(), 0);
        QCOMPARE(spaced.tokens(), 3);
        QVERIFY(decode::score("", { "a" }, decode::words(" ", kSplit)).isSilent());
    }

    void text_isSplitAsUpstreamWhereAsked()
    {
        constexpr auto kSplit = decode::WordSplit::SingleBlanks;
        QVERIFY(decode::wordSplitOf("single_blanks") == kSplit);
        QVERIFY(decode::wordSplitOf("white_space") == decode::WordSplit::WhiteSpace);
        QVERIFY(decode::words("a  bc", kSplit) == (Tokens { "a", "", "bc" }));
        QVERIFY(decode::words("", kSplit) == Tokens { "" });
        QVERIFY(decode::characters("你  b", kSplit) == (Tokens { "你", "_", "_", "b" }));
        QVERIFY(decode::characters("", kSplit).empty());
    }

    /// Thai would have one word a sentence.
    void textsWithoutWords_areJudgedByCharacter()
    {
        const decode::TextScores thai = decode::scoreTexts(
            { { "a", "น้ำดี", "น้ำ ดี" }, { "b", "ดี", "ดิ" } }, decode::WordSplit::WhiteSpace);
        QVERIFY(!thai.haveWords);
        QCOMPARE(decode::rateLine(decode::summarise(thai.byCharacter)),
            std::string("%WER 33.33 [ 1 / 3, 0 ins, 0 del, 1 sub ]"));
        const decode::TextScores english
            = decode::scoreTexts({ { "a", "go  on", "go" } }, decode::WordSplit::WhiteSpace);
        QVERIFY(english.haveWords);
        QCOMPARE(decode::rateLine(decode::summarise(english.byWord)),
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
        QCOMPARE(decode::score("", reference, hypothesis).operations, operations);
    }
};

EARWRIGHT_TEST(TstErrorRate)
#include "tst_error_rate.moc"
