#include "tests/registry.h"
#include "tests/ui/shown_plot.h"
#include "ui/widgets/qcp.h"

#include <QTest>

#include <cmath>

using namespace earwright;
using namespace earwright::ui;

/// What a plot's axes reach over, and what stands at their ticks.
class TstPlotAxis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void flatCurve_hasAnAxisOfItsSize_data();
    void flatCurve_hasAnAxisOfItsSize();
    void logScale_marksWhatItCannotShow();
    void xAxis_countsFromOrigin_data();
    void xAxis_countsFromOrigin();
    void emptyPlot_forgetsTheAxesOfTheRunBefore();
    void steps_haveWholeTicks_data();
    void steps_haveWholeTicks();
    void smallValues_areAllWrittenWithAPower();
};

void TstPlotAxis::logScale_marksWhatItCannotShow()
{
    run::Series series;
    series.append({ 1, 1e9, 100 });
    series.append({ 2, 1e9, 0 });
    series.append({ 3, 1e9, 0.01 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.setLogY(true);
    shown.view.refresh();
    QVERIFY(shown.view.plot()->yAxis->range().lower > 0);
    QVERIFY(shown.view.plot()->yAxis->range().contains(0.01));
    bool isMarked = false;
    for (int i = 0; i < shown.view.plot()->graphCount(); ++i) {
        QCPGraph* graph = shown.view.plot()->graph(i);
        isMarked |= graph->valueAxis() == shown.view.plot()->yAxis2 && graph->data()->size() == 1
            && graph->data()->at(0)->key == 2.0;
    }
    QVERIFY(isMarked);
}

void TstPlotAxis::xAxis_countsFromOrigin_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("last");
    QTest::newRow("step") << static_cast<int>(XAxis::Step) << 1.0 << 200.0;
    QTest::newRow("time since start") << static_cast<int>(XAxis::RelativeTime) << 0.5 << 100.0;
    QTest::newRow("wall time") << static_cast<int>(XAxis::WallTime) << 1e9 + 0.5 << 1e9 + 100.0;
    QTest::newRow("epoch") << static_cast<int>(XAxis::Epoch) << 0.01 << 2.0;
}

void TstPlotAxis::xAxis_countsFromOrigin()
{
    QFETCH(int, axis);
    QFETCH(double, first);
    QFETCH(double, last);
    Shown shown;
    shown.view.setCurves({ curveOf(shared(noisySeries(200))) });
    shown.view.setXAxis(static_cast<XAxis>(axis));
    shown.view.refresh();
    const QCPGraphDataContainer& data = *shown.view.plot()->graph(0)->data();
    QCOMPARE(data.constBegin()->key, first);
    QCOMPARE((data.constEnd() - 1)->key, last);
}

void TstPlotAxis::emptyPlot_forgetsTheAxesOfTheRunBefore()
{
    Shown shown;
    const QCPRange nothing = [&] {
        shown.view.refresh();
        return shown.view.plot()->xAxis->range();
    }();
    shown.view.setCurves({ curveOf(shared(noisySeries(50000))) });
    shown.view.refresh();
    QVERIFY(shown.view.plot()->xAxis->range().upper > 50000);
    shown.view.setCurves({});
    shown.view.refresh();
    QCOMPARE(shown.view.plot()->xAxis->range(), nothing);
    QVERIFY(shown.view.plot()->yAxis->range().upper <= 1);
    shown.view.setLogY(true);
    shown.view.refresh();
    QVERIFY(shown.view.plot()->yAxis->range().lower > 0);
}

void TstPlotAxis::steps_haveWholeTicks_data()
{
    QTest::addColumn<int>("numSteps");
    for (const int numSteps : { 1, 2, 5, 12, 480, 3000000 })
        QTest::addRow("%d steps", numSteps) << numSteps;
}

void TstPlotAxis::steps_haveWholeTicks()
{
    QFETCH(int, numSteps);
    run::Series series;
    for (const int step : { 0, numSteps })
        series.append({ .step = step, .value = 1 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    shown.view.plot()->replot();
    const QCPAxis* axis = shown.view.plot()->xAxis;
    QVERIFY(!axis->tickVector().isEmpty());
    for (qsizetype i = 0; i < axis->tickVector().size(); ++i)
        QCOMPARE(axis->tickVectorLabels()[i], QString::number(axis->tickVector()[i], 'f', 0));
    for (const double tick : axis->tickVector())
        QCOMPARE(tick, std::round(tick));
}

/// Of a learning rate, say: never 0.0001 beside 7.5·10⁻⁵.
void TstPlotAxis::smallValues_areAllWrittenWithAPower()
{
    run::Series series;
    series.append({ .step = 0, .value = 0 });
    series.append({ .step = 1, .value = 1.2e-4 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    shown.view.plot()->replot();
    const QStringList labels(shown.view.plot()->yAxis->tickVectorLabels().toList());
    QVERIFY2(labels.contains(QStringLiteral("1e-04")), qPrintable(labels.join(QLatin1Char(' '))));
    for (const QString& label : labels)
        QVERIFY2(label == QStringLiteral("0") || label.contains(QLatin1Char('e')),
            qPrintable(labels.join(QLatin1Char(' '))));
}

void TstPlotAxis::flatCurve_hasAnAxisOfItsSize_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("span");
    QTest::newRow("nothing heard") << 0.0 << 2.0;
    QTest::newRow("all heard") << 100.0 << 20.0;
}

void TstPlotAxis::flatCurve_hasAnAxisOfItsSize()
{
    QFETCH(double, value);
    QFETCH(double, span);
    run::Series series;
    for (int64_t step = 1; step <= 3; ++step)
        series.append({ .step = step, .value = value });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    QCOMPARE(shown.view.plot()->yAxis->range().size(), span);
    QCOMPARE(shown.view.plot()->yAxis->range().center(), value);
}

EARWRIGHT_TEST(TstPlotAxis)
#include "tst_plot_axis.moc"
