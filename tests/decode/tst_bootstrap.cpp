#include "core/decode/bootstrap.h"

#include <cmath>
#include <QTest>

using namespace kymo::decode;

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
        const Interval interval = bootstrapInterval(utterances(count, wrong));
        QVERIFY2(
            std::abs(interval.low - (25 - half)) < 0.6, qPrintable(QString::number(interval.low)));
        QVERIFY2(std::abs(interval.high - (25 + half)) < 0.6,
            qPrintable(QString::number(interval.high)));
    }

    void interval_isAlwaysTheSame()
    {
        const Interval first = bootstrapInterval(utterances(50, 7));
        const Interval second = bootstrapInterval(utterances(50, 7));
        QCOMPARE(first.low, second.low);
        QCOMPARE(first.high, second.high);
    }

    void certainRates_haveNoWidth_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("wrong");
        QTest::addColumn<double>("percent");
        QTest::newRow("all right") << 30 << 0 << 0.0;
        QTest::newRow("all wrong") << 30 << 30 << 100.0;
        QTest::newRow("one utterance") << 1 << 1 << 100.0;
        QTest::newRow("none") << 0 << 0 << 0.0;
    }

    void certainRates_haveNoWidth()
    {
        QFETCH(int, count);
        QFETCH(int, wrong);
        const Interval interval = bootstrapInterval(utterances(count, wrong));
        QTEST(interval.low, "percent");
        QTEST(interval.high, "percent");
    }
};

QTEST_APPLESS_MAIN(TstBootstrap)
#include "tst_bootstrap.moc"
