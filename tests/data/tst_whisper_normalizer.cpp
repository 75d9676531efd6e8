#include "tests/data/byte_pair_cases.h"
#include "tests/registry.h"

#include "core/data/pattern.h"
#include "core/data/whisper_normalizer.h"

using namespace earwright;
using namespace earwright::tests;
using data::Pattern;

class TstWhisperNormalizer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void english_isAsTransformersWritesIt()
    {
        const auto cases = pairsOf("normalized.json");
        const auto spellings = cases["spellings"].get<data::Spellings>();
        for (const auto& one : cases["texts"])
            QCOMPARE(
                data::normalizedEnglish(one["text"], spellings), one["english"].get<std::string>());
    }

    void otherLanguages_areAsTransformersWritesThem()
    {
        const auto cases = pairsOf("normalized.json");
        for (const auto& one : cases["texts"]) {
            const std::string text = one["text"];
            const auto basic = one["basic"].get<std::vector<std::string>>();
            QCOMPARE(data::normalizedBasic(text), basic[0]);
            QCOMPARE(data::normalizedBasic(text, true), basic[1]);
            QCOMPARE(data::normalizedBasic(text, false, true), basic[2]);
        }
    }

    void withoutSpellings_wordsStay()
    {
        QCOMPARE(data::normalizedEnglish("The colour's grey.", {}), "the colour is grey");
        QCOMPARE(data::normalizedEnglish("The colour", { { "colour", "color" } }), "the color");
    }

    void patterns_haveWhiteSpaceAndEdgesOfPython()
    {
        const Pattern space(Pattern::kSpace + std::string("+"));
        QCOMPARE(space.replaced("a\x1c\u00a0 b\u3000", "-"), "a-b-");
        const Pattern edge(Pattern::kEdge + std::string("1") + Pattern::kEdge);
        QCOMPARE(edge.replaced("1 a1 1_ é1 (1)", "one"), "one a1 1_ é1 (one)");
        QVERIFY(space.split("a  b ") == (std::vector<std::string> { "a", "b", "" }));
        const Pattern pair("(a)(b?)");
        const Pattern::Replace turned
            = [](const std::vector<std::string>& groups) { return groups[2] + groups[1]; };
        QCOMPARE(pair.replaced("abca", turned), "baca");
    }
};

EARWRIGHT_TEST(TstWhisperNormalizer)
#include "tst_whisper_normalizer.moc"
