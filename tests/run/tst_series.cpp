#include "core/run/series.h"
#include "tests/registry.h"

#include <algorithm>
#include <cmath>
#include <QTest>
#include <random>

using namespace earwright::run;

namespace {

/// A noisy curve with NaN, Inf and two spikes.
Series noisyCurve(size_t count)
{
    std::mt19937 random(7);
    std::normal_distribution<double> noise;
    Series series;
    for (size_t i = 0; i < count; ++i) {
        double value = noise(random);
        if (i % 97 == 5)
            value = std::nan("");
        if (i % 1009 == 8)
            value = HUGE_VAL;
        if (i == count / 3)
            value = 1000;
        if (i == count / 2)
            value = -1000;
        series.append({ static_cast<int64_t>(i), double(i), value });
    }
    return series;
}

/// Least and greatest finite value of a range, the slow way.
std::pair<double, double> extremes(const std::vector<Point>& points)
{
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (const Point& point : points) {
        if (std::isfinite(point.value)) {
            least = std::min(least, point.value);
            greatest = std::max(greatest, point.value);
        }
    }
    return { least, greatest };
}

bool isInOrder(const std::vector<Point>& points)
{
    return std::is_sorted(points.begin(), points.end(),
        [](const Point& a, const Point& b) { return a.step < b.step; });
}

} // namespace

class TstSeries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void extremes_areShownAtEveryZoom_data()
    {
        QTest::addColumn<size_t>("begin");
        QTest::addColumn<size_t>("end");
        for (const size_t width : { 100000U, 65536U, 4096U, 4097U, 300U, 40U }) {
            for (const size_t begin : { 0U, 1U, 15U, 16U, 33001U, 49990U })
                QTest::addRow("%zu points from %zu", width, begin)
                    << begin << std::min<size_t>(begin + width, 100000);
        }
    }

    void extremes_areShownAtEveryZoom()
    {
        QFETCH(size_t, begin);
        QFETCH(size_t, end);
        static const Series series = noisyCurve(100000);
        const auto first = series.points().begin();
        const std::vector<Point> range(
            first + static_cast<long>(begin), first + static_cast<long>(end));
        for (const size_t buckets : { 1U, 3U, 16U, 640U }) {
            const std::vector<Point> shown = series.minMax(begin, end, buckets);
            QVERIFY(shown.size() <= 2 * buckets);
            QVERIFY(isInOrder(shown));
            QVERIFY(extremes(shown) == extremes(range));
        }
    }

    void narrowRange_comesWholeWithoutNonFinite()
    {
        const Series series = noisyCurve(1000);
        const std::vector<Point> shown = series.minMax(0, 100, 50);
        QCOMPARE(shown.size(), size_t { 100 - 2 }); // NaN at 5, Inf at 8
        QVERIFY(std::all_of(
            shown.begin(), shown.end(), [](const Point& p) { return std::isfinite(p.value); }));
    }

    void emptyRanges_giveNothing()
    {
        const Series series = noisyCurve(100);
        QVERIFY(series.minMax(50, 50, 10).empty());
        QVERIFY(series.minMax(200, 300, 10).empty());
        QVERIFY(series.minMax(0, 100, 0).empty());
        QVERIFY(Series().minMax(0, 1, 1).empty());
    }

    void nonFinite_isCountedAndKept()
    {
        Series series = noisyCurve(10000);
        const auto count = std::count_if(series.points().begin(), series.points().end(),
            [](const Point& p) { return !std::isfinite(p.value); });
        QVERIFY(count > 100);
        QCOMPARE(series.nonFiniteCount(), static_cast<size_t>(count));
        QCOMPARE(series.points().size(), size_t { 10000 });
        series.dropAfterStep(4);
        QCOMPARE(series.nonFiniteCount(), size_t { 0 });
    }

    void allNonFinite_showsNothing()
    {
        Series series;
        for (int64_t step = 0; step < 1000; ++step)
            series.append({ step, 0, std::nan("") });
        QVERIFY(series.minMax(0, 1000, 10).empty());
    }

    void dropAfterStep_forgetsTheExtremesToo()
    {
        Series series = noisyCurve(100000);
        series.dropAfterStep(30000);
        QCOMPARE(series.points().size(), size_t { 30001 });
        for (int64_t step = 30001; step < 60000; ++step)
            series.append({ step, 0, 0 });
        QVERIFY(extremes(series.minMax(0, 60000, 20)) == extremes(series.points()));
        QVERIFY(extremes(series.points()).second < 1000);
    }

    void latePoint_findsItsPlace()
    {
        Series series;
        for (const int64_t step : { 1, 2, 3, 5, 5, 8 })
            series.append({ step, 0, double(step) });
        series.append({ 4, 0, -1 });
        series.append({ 5, 0, 9 });
        std::vector<int64_t> steps;
        for (const Point& point : series.points())
            steps.push_back(point.step);
        QCOMPARE(steps, (std::vector<int64_t> { 1, 2, 3, 4, 5, 5, 5, 8 }));
        QCOMPARE(series.points()[6].value, 9.0);
    }

    void lowerBound_isTheFirstPointAtOrAfter()
    {
        Series series;
        for (const int64_t step : { 10, 20, 30 })
            series.append({ step, 0, 0 });
        QCOMPARE(series.lowerBoundStep(20), size_t { 1 });
        QCOMPARE(series.lowerBoundStep(21), size_t { 2 });
        QCOMPARE(series.lowerBoundStep(31), size_t { 3 });
    }
};

EARWRIGHT_TEST(TstSeries)
#include "tst_series.moc"
