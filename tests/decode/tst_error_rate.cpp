#include "../data/parity_case.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/decode/error_rate.h"

#include <QTest>

#include <cmath>

using namespace kymo;
using decode::Scored;
using Tokens = std::vector<std::string>;

namespace {

/// Alignment as upstream lists it: [operation, index in the reference or null, index in the
/// hypothesis or null].
nlohmann::ordered_json alignmentJson(const Scored& scored)
{
    auto steps = nlohmann::ordered_json::array();
    int reference = 0;
    int hypothesis = 0;
    for (const char operation : scored.operations) {
        nlohmann::ordered_json step { std::string(1, operation), nullptr, nullptr };
        if (operation != 'I')
            step[1] = reference++;
        if (operation != 'D')
            step[2] = hypothesis++;
        steps.push_back(step);
    }
    return steps;
}

/// What the constructor and the tokenisation of a case ask for.
Tokens tokensOf(const std::string& text, const nlohmann::ordered_json& one)
{
    const bool isEmptyList
        = one["tokenisation"].get<std::string>().find("'' -> []") != std::string::npos;
    if (!one["constructor"].value("split_tokens", false))
        return text.empty() && isEmptyList ? Tokens {} : decode::words(text);
    Tokens tokens = decode::characters(text);
    if (one["constructor"].value("space_token", std::string("_")).empty())
        std::erase(tokens, "_");
    return tokens;
}

void compareSummary(const decode::ErrorRate& sum, const nlohmann::ordered_json& summary)
{
    QCOMPARE(sum.tokens, summary["num_scored_tokens"].get<int64_t>());
    QCOMPARE(sum.insertions, summary["insertions"].get<int64_t>());
    QCOMPARE(sum.deletions, summary["deletions"].get<int64_t>());
    QCOMPARE(sum.substitutions, summary["substitutions"].get<int64_t>());
    QCOMPARE(sum.sentences, summary["num_scored_sents"].get<int64_t>());
    QCOMPARE(sum.wrongSentences, summary["num_erroneous_sents"].get<int64_t>());
    QCOMPARE(sum.percent(), summary["WER"].get<double>());
}

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
                decode::score(fields[0], decode::words(fields[1]), decode::words(fields[2])));
    }
    return scored;
}

} // namespace

class TstErrorRate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pairs_giveTheExpectedFile()
    {
        const std::vector<Scored> scored = readPairs(KYMO_CASES_DIR "/decode/pairs.txt");
        QCOMPARE(scored.size(), size_t(5));
        const Result<std::string> expected = readFile(KYMO_CASES_DIR "/decode/pairs.expected");
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

    void text_isSplitAsUpstream()
    {
        QVERIFY(decode::words("a  bc") == (Tokens { "a", "", "bc" }));
        QVERIFY(decode::words("") == Tokens { "" });
        QVERIFY(decode::characters("你 b") == (Tokens { "你", "_", "b" }));
        QVERIFY(decode::characters("").empty());
    }

    void upstreamFiles_areEqualByteForByte_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "sb_wer_words", "sb_wer_words_emptytoken", "sb_cer_split",
                 "sb_cer_split_emptytoken", "sb_cer_split_space_empty" })
            QTest::newRow(name) << name;
    }

    void upstreamFiles_areEqualByteForByte()
    {
        QFETCH(QString, name);
        const auto one = test::parityCase(name);
        if (!one)
            QSKIP("the case is not there; set KYMO_PARITY_DIR");
        std::vector<Scored> scored;
        for (const auto& pair : (*one)["pairs (id, ref, hyp)"])
            scored.push_back(
                decode::score(pair[0], tokensOf(pair[1], *one), tokensOf(pair[2], *one)));
        QCOMPARE(QString::fromStdString(decode::alignmentText(scored)),
            QString::fromStdString((*one)["wer_txt"]));
        compareSummary(decode::summarise(scored), (*one)["summary"]);
        for (size_t i = 0; i < scored.size(); ++i)
            QCOMPARE(alignmentJson(scored[i]).dump(), (*one)["scores"][i]["alignment"].dump());
    }

    void upstreamMergedIds_areEqualByteForByte()
    {
        const auto one = test::parityCase("sb_wer_ids_merge");
        if (!one)
            QSKIP("the case is not there; set KYMO_PARITY_DIR");
        const auto labels = (*one)["labels"].get<Tokens>();
        const auto merged = [&](const nlohmann::ordered_json& ids, double length) {
            std::string text;
            for (size_t i = 0;
                 i < static_cast<size_t>(std::lround(length * static_cast<double>(ids.size())));
                 ++i)
                text += labels[ids[i].get<size_t>()];
            return split(text, '_');
        };
        std::vector<Scored> scored;
        for (size_t i = 0; i < 2; ++i)
            scored.push_back(decode::score("x" + std::to_string(i + 1),
                merged((*one)["target"][i], (*one)["target_len"][i]),
                merged((*one)["predict"][i], 1)));
        QCOMPARE(QString::fromStdString(decode::alignmentText(scored)),
            QString::fromStdString((*one)["wer_txt"]));
    }

    void upstreamEditDistances_haveTheSameAlignments()
    {
        const auto parity = test::parityCase("sb_edit_distance");
        if (!parity)
            QSKIP("the case is not there; set KYMO_PARITY_DIR");
        for (const auto& one : (*parity)["cases"]) {
            const Scored scored
                = decode::score("", one["ref"].get<Tokens>(), one["hyp"].get<Tokens>());
            QCOMPARE(alignmentJson(scored).dump(), one["alignment"].dump());
            QCOMPARE(scored.insertions, one["count_ops"].value("insertions", int64_t(0)));
        }
    }

    void longPair_isAlignedInTime()
    {
        Tokens reference;
        Tokens hypothesis;
        for (int i = 0; i < 2000; ++i) {
            reference.push_back(std::to_string(i % 17));
            hypothesis.push_back(std::to_string(i % 13));
        }
        QBENCHMARK(decode::score("", reference, hypothesis));
    }
};

QTEST_GUILESS_MAIN(TstErrorRate)
#include "tst_error_rate.moc"
