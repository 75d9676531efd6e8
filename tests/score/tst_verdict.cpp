#include "core/score/verdict.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::score;

namespace {

constexpr auto kSplit = WordSplit::WhiteSpace;

/// "id|reference|hypothesis".
std::vector<TextPair> texts(const QStringList& lines)
{
    std::vector<TextPair> pairs;
    for (const QString& line : lines) {
        const QStringList parts = line.split('|');
        pairs.push_back({ parts.value(0).toStdString(), parts.value(1).toStdString(),
            parts.value(2).toStdString() });
    }
    return pairs;
}

/// `count` utterances of ten words, of which the first `wrong` utterances have one wrong.
std::vector<TextPair> tenWords(int count, int wrong)
{
    std::vector<TextPair> pairs;
    for (int i = 0; i < count; ++i)
        pairs.push_back({ std::to_string(i), "a b c d e f g h i j",
            i < wrong ? "a b c d e f g h i x" : "a b c d e f g h i j" });
    return pairs;
}

QString errorOf(const std::vector<TextPair>& first, const std::vector<TextPair>& second)
{
    const Result<Verdict> found = verdict(first, second, "WER", kSplit);
    return found ? QString() : QString::fromStdString(found.error().message);
}

} // namespace

class TstVerdict : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void difference_isSaidWithItsInterval()
    {
        const Verdict found = verdict(tenWords(200, 10), tenWords(200, 60), "WER", kSplit).value();
        QVERIFY(found.isBeyondChance());
        QCOMPARE(found.difference(), 2.5);
        QCOMPARE(found.first.sentences, 200);
        // 25 % of the utterances have 10 points each: 1.96 standard deviations are 0.6.
        const QString sentence = QString::fromStdString(found.sentence("bf16"));
        QCOMPARE(sentence,
            QStringLiteral("bf16 is worse by 1.9 to 3.1 points of WER (p < 0.001, "
                           "200 utterances)"));
        const Verdict turned = verdict(tenWords(200, 60), tenWords(200, 10), "WER", kSplit).value();
        QVERIFY(turned.sentence("fp32").starts_with("fp32 is better by 1.9 to 3.1 points of WER"));
    }

    void chance_isSaidWithItsP()
    {
        const Verdict found = verdict(tenWords(248, 10), tenWords(248, 10), "WER", kSplit).value();
        QVERIFY(!found.isBeyondChance());
        QCOMPARE(QString::fromStdString(found.sentence("bf16")),
            QStringLiteral("no difference beyond chance (p = 1.00, 248 utterances)"));
        const Verdict one = verdict(tenWords(1, 0), tenWords(1, 1), "WER", kSplit).value();
        QCOMPARE(QString::fromStdString(one.sentence("bf16")),
            QStringLiteral("too few utterances to tell a difference from chance (1 utterance)"));
    }

    void p_isWrittenWithTheDigitsThatCount()
    {
        QCOMPARE(pText(0.41), std::string("p = 0.41"));
        QCOMPARE(pText(0.0317), std::string("p = 0.032"));
        QCOMPARE(pText(0.0004), std::string("p < 0.001"));
        QCOMPARE(pText(0.0497), std::string("p = 0.0497"));
        QCOMPARE(pText(0.049996), std::string("p = 0.049996"));
        QCOMPARE(pText(0.0494), std::string("p = 0.049"));
        QCOMPARE(pText(0.05), std::string("p = 0.050"));
        QCOMPARE(pText(0.0502), std::string("p = 0.050"));
    }

    void utterancesOfOneRun_areCountedAndLeftOut()
    {
        const Verdict found = verdict(texts({ "u1|a b|a b", "u2|a b|a x", "only|a|x" }),
            texts({ "u2|a  b|a b", "new1|a|a", "u1|a b|x b", "new2|a|a" }), "WER", kSplit)
                                  .value();
        QCOMPARE(found.first.sentences, 2);
        QCOMPARE(found.first.substitutions, 1);
        QCOMPARE(found.second.tokens, 4);
        QCOMPARE(found.onlyInFirst, 1);
        QCOMPARE(found.onlyInSecond, 2);
    }

    void charactersCount_whereThereAreNoWords()
    {
        const Verdict found = verdict(texts({ "u1|打开|打 开", "u2|看看|看" }),
            texts({ "u1|打 开|打", "u2|看看|看看" }), "CER", kSplit)
                                  .value();
        QCOMPARE(found.first.tokens, 4);
        QCOMPARE(found.first.deletions, 1);
        QCOMPARE(found.second.deletions, 1);
    }

    void whatCannotBePaired_isRefused_data()
    {
        QTest::addColumn<QStringList>("first");
        QTest::addColumn<QStringList>("second");
        QTest::addColumn<QString>("error");
        QTest::newRow("other references")
            << QStringList { "u1|a b|a", "u2|a|a", "u3|c|c" }
            << QStringList { "u1|a c|a", "u2|a|a", "u3|d|c" }
            << "the references of 2 utterances differ, first of 'u1': 'a b' and 'a c'; compare "
               "runs that were given the same texts";
        QTest::newRow("nothing in common")
            << QStringList { "u1|a|a" } << QStringList { "v1|a|a" }
            << "the runs have no utterance in common: no ID of one is an ID of the other";
        QTest::newRow("twice") << QStringList { "u1|a|a" } << QStringList { "u1|a|a", "u1|a|b" }
                               << "the utterance 'u1' is there twice in one run: its texts cannot "
                                  "be paired";
    }

    void whatCannotBePaired_isRefused()
    {
        QFETCH(QStringList, first);
        QFETCH(QStringList, second);
        QTEST(errorOf(texts(first), texts(second)), "error");
    }
};

EARWRIGHT_TEST(TstVerdict)
#include "tst_verdict.moc"
