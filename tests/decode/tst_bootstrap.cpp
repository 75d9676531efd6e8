#include "core/decode/bootstrap.h"
#include "tests/registry.h"

#include <cmath>
#include <QTest>

using namespace earwright::decode;

namespace {

/// One token each, of which `wrong` are wrong.
std::vector<Scored> utterances(int count, int wrong)
{
    std::vector<Scored> scored;
    for (int i = 0; i < count; ++i)
        scored.push_back(score(std::to_string(i), { "a" }, { i < wrong ? "b" : "a" }));
    return scored;
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
};

EARWRIGHT_TEST(TstBootstrap)
#include "tst_bootstrap.moc"
