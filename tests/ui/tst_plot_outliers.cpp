#include "tests/registry.h"
#include "tests/ui/shown_plot.h"
#include "ui/widgets/plot_outliers.h"
#include "ui/widgets/qcp.h"

#include <QTest>

using namespace earwright;
using namespace earwright::ui;

namespace {

std::vector<double> ramp(int size)
{
    std::vector<double> values;
    for (int i = 0; i < size; ++i)
        values.push_back(3 + 0.01 * i);
    return values;
}

/// Noise about 3, and one point of a run that diverged.
run::Series diverged(double value)
{
    run::Series series = noisySeries(200);
    series.append({ 201, 1e9 + 101, value });
    return series;
}

QCPRange valuesOf(Shown& shown)
{
    shown.view.refresh();
    return shown.view.plot()->yAxis->range();
}

/// "" = there is none.
QString noteOf(const Shown& shown)
{
    for (int i = 0; i < shown.view.plot()->itemCount(); ++i) {
        const auto* note = qobject_cast<QCPItemText*>(shown.view.plot()->item(i));
        if (note && note->visible())
            return note->text();
    }
    return {};
}

int diamondsOf(const Shown& shown)
{
    int count = 0;
    for (int i = 0; i < shown.view.plot()->graphCount(); ++i) {
        const QCPGraph* graph = shown.view.plot()->graph(i);
        if (graph->scatterStyle().shape() == QCPScatterStyle::ssDiamond)
            count += graph->data()->size();
    }
    return count;
}

} // namespace

/// Values that would flatten all others.
class TstPlotOutliers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fence_isWhereOneValueIsFarFromAll();
    void fence_isNotWhereNothingIsFlattened_data();
    void fence_isNotWhereNothingIsFlattened();
    void divergedPoint_isMarkedAndCounted_data();
    void divergedPoint_isMarkedAndCounted();
    void divergedRun_leavesTheOthersReadable();
    void switch_showsAll();
    void thinnedCurve_countsAtLeast();
};

void TstPlotOutliers::fence_isWhereOneValueIsFarFromAll()
{
    std::vector<double> values = ramp(100);
    values.push_back(9e21);
    const std::optional<Extent> fence = fenceOf(values);
    QVERIFY(fence.has_value());
    QVERIFY(fence->lower < 3 && fence->upper > 4 && fence->upper < 100);
}

void TstPlotOutliers::fence_isNotWhereNothingIsFlattened_data()
{
    QTest::addColumn<std::vector<double>>("values");
    std::vector<double> values = ramp(100);
    QTest::newRow("even") << values;
    values.push_back(300); // a loss begins so
    QTest::newRow("high start") << values;
    QTest::newRow("constant") << std::vector<double>(50, 2.0);
    QTest::newRow("constant and one more") << std::vector<double> { 2, 2, 2, 2, 2, 9e21 };
    QTest::newRow("too few") << std::vector<double> { 1, 2, 9e21 };
    QTest::newRow("none") << std::vector<double> {};
    std::vector<double> half = ramp(10);
    half.insert(half.end(), 9, 9e21); // which of them are the outliers?
    QTest::newRow("nearly half") << half;
}

void TstPlotOutliers::fence_isNotWhereNothingIsFlattened()
{
    QFETCH(std::vector<double>, values);
    QVERIFY(!fenceOf(values));
}

void TstPlotOutliers::divergedPoint_isMarkedAndCounted_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("note");
    QTest::newRow("above") << 9e21 << QStringLiteral("points out of range: 1 above");
    QTest::newRow("below") << -9e21 << QStringLiteral("points out of range: 1 below");
}

void TstPlotOutliers::divergedPoint_isMarkedAndCounted()
{
    QFETCH(double, value);
    QFETCH(QString, note);
    Shown shown;
    shown.view.setCurves({ curveOf(shared(diverged(value))) });
    const QCPRange range = valuesOf(shown);
    QVERIFY(range.lower > 0 && range.upper < 10);
    QCOMPARE(noteOf(shown), note);
    QCOMPARE(diamondsOf(shown), 1);
    shown.view.setCurves({ curveOf(shared(noisySeries(200))) });
    shown.view.refresh();
    QCOMPARE(noteOf(shown), QString());
    QCOMPARE(diamondsOf(shown), 0);
}

void TstPlotOutliers::divergedRun_leavesTheOthersReadable()
{
    run::Series far;
    for (int64_t step = 1; step <= 200; ++step)
        far.append({ step, 1e9, 1e20 + static_cast<double>(step) * 1e18 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(noisySeries(200)), QStringLiteral("a")),
        curveOf(shared(noisySeries(200)), QStringLiteral("b")),
        curveOf(shared(noisySeries(200)), QStringLiteral("c")),
        curveOf(shared(far), QStringLiteral("d")) });
    const QCPRange range = valuesOf(shown);
    QVERIFY(range.lower > 0 && range.upper < 10);
    QCOMPARE(noteOf(shown), QStringLiteral("points out of range: 200 above"));
}

void TstPlotOutliers::switch_showsAll()
{
    Shown shown;
    shown.view.setCurves({ curveOf(shared(diverged(9e21))) });
    shown.view.setClipped(false);
    QVERIFY(valuesOf(shown).contains(9e21));
    QCOMPARE(noteOf(shown), QString());
    shown.view.setClipped(true);
    QVERIFY(!valuesOf(shown).contains(9e21));
}

void TstPlotOutliers::thinnedCurve_countsAtLeast()
{
    run::Series series = noisySeries(100000);
    for (int64_t step = 100001; step <= 100005; ++step)
        series.append({ step, 1e9 + 50001, 9e21 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    const QString note = noteOf(shown);
    QVERIFY2(note.endsWith(QStringLiteral("or more above")), qPrintable(note));
}

EARWRIGHT_TEST(TstPlotOutliers)
#include "tst_plot_outliers.moc"
