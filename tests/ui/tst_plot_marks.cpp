#include "tests/registry.h"
#include "tests/ui/shown_plot.h"
#include "ui/widgets/qcp.h"

#include <QLabel>
#include <QTest>

#include <cmath>

using namespace earwright;
using namespace earwright::ui;

namespace {

const QString kTrain = QStringLiteral("train");

/// Ten steps a second apart, an hour's pause, ten more.
PlotCurve pausedCurve()
{
    run::Series series;
    for (int64_t step = 1; step <= 20; ++step) {
        const double pause = step > 10 ? 3600 : 0;
        series.append({ step, 1e9 + pause + static_cast<double>(step), 2.5 });
    }
    PlotCurve curve = curveOf(shared(series), kTrain);
    curve.gaps = { { 1e9 + 10.5, 1e9 + 3610.5 } };
    return curve;
}

/// Of the line as logged.
int interruptions(const Shown& shown)
{
    int count = 0;
    for (const QCPGraphData& point : *shown.view.plot()->graph(0)->data())
        count += std::isnan(point.value) ? 1 : 0;
    return count;
}

} // namespace

/// What a plot shows of the moments at which somebody stepped in.
class TstPlotMarks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pause_isAGapWhereXIsTime_data();
    void pause_isAGapWhereXIsTime();
    void points_areThoseLoggedBesideAGap();
    void smallPart_isNoGap();
    void marks_areLinesAndAreRead();
    void markup_isReadAsText();
};

void TstPlotMarks::pause_isAGapWhereXIsTime_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<int>("expected");
    QTest::newRow("step") << static_cast<int>(XAxis::Step) << 0;
    QTest::newRow("epoch") << static_cast<int>(XAxis::Epoch) << 0;
    QTest::newRow("time since start") << static_cast<int>(XAxis::RelativeTime) << 1;
    QTest::newRow("wall time") << static_cast<int>(XAxis::WallTime) << 1;
}

void TstPlotMarks::pause_isAGapWhereXIsTime()
{
    QFETCH(int, axis);
    QFETCH(int, expected);
    Shown shown;
    shown.view.setCurves({ pausedCurve() });
    shown.view.setXAxis(static_cast<XAxis>(axis));
    for (const double smoothing : { 0.0, 0.5 }) {
        shown.view.setSmoothing(smoothing);
        shown.view.refresh();
        QCOMPARE(interruptions(shown), expected);
    }
    int ofAverage = 0;
    for (const QCPGraphData& point : *shown.view.plot()->graph(1)->data())
        ofAverage += std::isnan(point.value) ? 1 : 0;
    QCOMPARE(ofAverage, expected);
}

void TstPlotMarks::points_areThoseLoggedBesideAGap()
{
    Shown shown;
    shown.view.setCurves({ pausedCurve() });
    shown.view.setXAxis(XAxis::WallTime);
    shown.view.refresh();
    const std::vector<run::Point> points = shown.view.points(kTrain);
    QCOMPARE(points.size(), size_t { 20 });
    for (size_t i = 0; i < points.size(); ++i) {
        QCOMPARE(points[i].step, static_cast<int64_t>(i + 1));
        QCOMPARE(points[i].value, 2.5);
    }
}

/// Of a curve with a point an epoch a pause of seconds tears nothing apart.
void TstPlotMarks::smallPart_isNoGap()
{
    const std::vector<TimeSpan> gaps { { 100, 110 }, { 500, 505 } };
    QVERIFY(crossesGap(gaps, 99, 111));
    QVERIFY(crossesGap(gaps, 90, 180)); // 10 of 90
    QVERIFY(!crossesGap(gaps, 0, 1000));
    QVERIFY(!crossesGap(gaps, 111, 499));
    QVERIFY(!crossesGap({}, 0, 1));
}

void TstPlotMarks::marks_areLinesAndAreRead()
{
    Shown shown;
    shown.view.setCurves({ curveOf(shared(noisySeries(100)), kTrain) });
    shown.view.refresh();
    const int before = shown.view.plot()->graphCount();
    shown.view.setMarks({ { .at = { .step = 50, .wallTime = 1e9 + 25 },
        .origin = { 1e9, 100 },
        .text = QStringLiteral("rate set to 0.01") } });
    shown.view.refresh();
    shown.view.plot()->replot();
    QCOMPARE(shown.view.plot()->graphCount(), before + 1);
    QCOMPARE(shown.view.plot()->graph(before)->data()->at(0)->key, 50.0);
    const auto* readOut = shown.view.findChild<QLabel*>(QStringLiteral("readOut"));
    shown.view.showCrosshair(50);
    QVERIFY(readOut->text().contains(QStringLiteral("rate set to 0.01")));
    shown.view.showCrosshair(80);
    QVERIFY(!readOut->text().contains(QStringLiteral("rate set")));
    shown.view.setXAxis(XAxis::RelativeTime);
    shown.view.refresh();
    QCOMPARE(shown.view.plot()->graph(before)->data()->at(0)->key, 25.0);
    shown.view.setMarks({});
    shown.view.refresh();
    QCOMPARE(shown.view.plot()->graph(before)->data()->size(), 0);
}

void TstPlotMarks::markup_isReadAsText()
{
    Shown shown;
    shown.view.setCurves({ curveOf(shared(noisySeries(100)), kTrain) });
    shown.view.setMarks(
        { { .at = { .step = 50 }, .origin = { 1e9, 100 }, .text = QStringLiteral("<b>x</b>") } });
    shown.view.refresh();
    shown.view.plot()->replot();
    shown.view.showCrosshair(50);
    QVERIFY(shown.view.findChild<QLabel*>(QStringLiteral("readOut"))
                ->text()
                .contains(QStringLiteral("&lt;b&gt;x")));
}

EARWRIGHT_TEST(TstPlotMarks)
#include "tst_plot_marks.moc"
