#include "core/score/bootstrap.h"
#include "tests/registry.h"
#include "tests/score/drawn_errors.h"

#include <cmath>
#include <numeric>
#include <QTest>

using namespace earwright::score;
using earwright::tests::DrawnPair;
using earwright::tests::drawnPair;

namespace {

/// One token each, of which `wrong` are wrong.
std::vector<Scored> utterances(int count, int wrong)
{
    std::vector<Scored> scored;
    for (int i = 0; i < count; ++i)
        scored.push_back(score(std::to_string(i), { "a" }, { i < wrong ? "b" : "a" }));
    return scored;
}

/// The p value of no difference by a permutation test: how often a difference as large comes up
/// where chance decides of each utterance which recogniser made which text.
double permutationP(const DrawnPair& pair)
{
    std::vector<int64_t> differences;
    for (size_t i = 0; i < pair.first.size(); ++i)
        differences.push_back(pair.second[i].edits() - pair.first[i].edits());
    const int64_t found = std::accumulate(differences.begin(), differences.end(), int64_t { 0 });
    std::mt19937_64 random(7);
    const int draws = 20000;
    int asLarge = 0;
    for (int draw = 0; draw < draws; ++draw) {
        int64_t sum = 0;
        for (const int64_t difference : differences)
            sum += random() % 2 == 0 ? difference : -difference;
        asLarge += std::abs(sum) >= std::abs(found) ? 1 : 0;
    }
    return double(asLarge + 1) / (draws + 1);
}

} // namespace

class TstBootstrap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Of single tokens it is the binomial distribution's: 1.96 standard deviations at each side.
    void interval_isTheBinomialOne()
    {
        const int count = 400;
        const int wrong = 100;
        const double share = double(wrong) / count;
        const double half = 196 * std::sqrt(share * (1 - share) / count);
        const Interval interval = bootstrapInterval(utterances(count, wrong)).value();
        QVERIFY2(
            std::abs(interval.low - (25 - half)) < 0.6, qPrintable(QString::number(interval.low)));
        QVERIFY2(std::abs(interval.high - (25 + half)) < 0.6,
            qPrintable(QString::number(interval.high)));
    }

    void interval_isAlwaysTheSame()
    {
        const Interval first = bootstrapInterval(utterances(50, 7)).value();
        const Interval second = bootstrapInterval(utterances(50, 7)).value();
        QCOMPARE(first.low, second.low);
        QCOMPARE(first.high, second.high);
    }

    void certainRate_hasNoWidth()
    {
        const Interval interval = bootstrapInterval(utterances(30, 30)).value();
        QCOMPARE(interval.low, 100.0);
        QCOMPARE(interval.high, 100.0);
    }

    void tooFew_haveNone_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("wrong");
        QTest::newRow("no error") << 30 << 0;
        QTest::newRow("one utterance") << 1 << 1;
        QTest::newRow("none") << 0 << 0;
    }

    void tooFew_haveNone()
    {
        QFETCH(int, count);
        QFETCH(int, wrong);
        QVERIFY(!bootstrapInterval(utterances(count, wrong)));
    }

    void pairedP_isThatOfAPermutationTest_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<double>("extra");
        for (const int count : { 100, 200, 400 })
            for (const unsigned seed : { 1u, 2u, 3u, 4u })
                for (const double extra : { 0.0, 0.02, 0.05 })
                    QTest::addRow("%d utterances, seed %u, %.0f %% more", count, seed, 100 * extra)
                        << count << seed << extra;
    }

    /// Which asks another question in the same way, and knows no intervals.
    void pairedP_isThatOfAPermutationTest()
    {
        QFETCH(int, count);
        QFETCH(unsigned, seed);
        QFETCH(double, extra);
        const DrawnPair pair = drawnPair(count, seed, extra);
        const double p = pairedBootstrap(pair.first, pair.second).value().p;
        const double wanted = permutationP(pair);
        QVERIFY2(std::abs(p - wanted) < 0.05 && (p < 0.01) == (wanted < 0.01),
            qPrintable(QStringLiteral("%1, by permutation %2").arg(p).arg(wanted)));
    }

    void pairedInterval_isAroundTheDifference()
    {
        const DrawnPair pair = drawnPair(300, 5, 0.05);
        const PairedDifference found = pairedBootstrap(pair.first, pair.second).value();
        const double difference
            = summarise(pair.second).percent() - summarise(pair.first).percent();
        QVERIFY(found.interval.low > 0);
        QVERIFY(found.interval.low < difference && difference < found.interval.high);
        const PairedDifference turned = pairedBootstrap(pair.second, pair.first).value();
        QCOMPARE(turned.p, found.p);
        QCOMPARE(turned.interval.low, -found.interval.high);
        QCOMPARE(pairedBootstrap(pair.first, pair.second).value().interval.low, found.interval.low);
    }

    void sameErrors_areNoDifference()
    {
        const DrawnPair pair = drawnPair(50, 1, 0);
        const PairedDifference found = pairedBootstrap(pair.first, pair.first).value();
        QCOMPARE(found.p, 1.0);
        QCOMPARE(found.interval.low, 0.0);
        QCOMPARE(found.interval.high, 0.0);
        QVERIFY(!pairedBootstrap({ pair.first[0] }, { pair.second[0] }));
    }
};

EARWRIGHT_TEST(TstBootstrap)
#include "tst_bootstrap.moc"
