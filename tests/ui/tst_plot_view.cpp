#include "tests/registry.h"
#include "tests/ui/shown_plot.h"
#include "ui/widgets/plot_export.h"
#include "ui/widgets/qcp.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

bool isEqual(const run::Point& a, const run::Point& b)
{
    return a.step == b.step && a.wallTime == b.wallTime
        && (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
}

double leastDrawn(const std::vector<run::Point>& points)
{
    return std::min_element(points.begin(), points.end(), [](auto& a, auto& b) {
        return a.value < b.value;
    })->value;
}

double greatestDrawn(const std::vector<run::Point>& points)
{
    return std::max_element(points.begin(), points.end(), [](auto& a, auto& b) {
        return a.value < b.value;
    })->value;
}

} // namespace

/// What a plot shows of a curve; its axes are tst_plot_axis's.
class TstPlotView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void zoomedIn_everyStepIsThePointLogged();
    void zoomedOut_extremesAreDrawn_data();
    void zoomedOut_extremesAreDrawn();
    void nanAndInf_areMarkedAndCounted();
    void lonePointBetweenNans_isADot();
    void manyNans_costAtMostAMarkerAPixel();
    void millionPoints_areFedInWidth();
    void growingSeries_keepsFollowing();
    void replacedSeries_forgetsTheOld();
    void smoothing_isCorrectedAverage();
    void homeKey_showsAllAgain();
    void palette_isFollowed();
    void csv_hasEveryPointExactly();
    void pictures_areWrittenAndFailuresNamed();
};

void TstPlotView::zoomedIn_everyStepIsThePointLogged()
{
    run::Series logged = noisySeries(5000);
    logged.append({ 5001, 1e9 + 2500.5, kNan });
    logged.append({ 5002, 1e9 + 2501, kInf });
    logged.append({ 5003, 1e9 + 2501.5, 0.1 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(logged)) });
    size_t next = 0;
    for (double lower = 0.5; lower < 5004; lower += 500) {
        shown.view.zoomX(lower, lower + 500);
        shown.view.refresh();
        for (const run::Point& point : shown.view.points(QStringLiteral("train"))) {
            if (static_cast<double>(point.step) < lower
                || static_cast<double>(point.step) > lower + 500)
                continue; // a neighbour that carries the line to the edge
            QVERIFY2(
                isEqual(point, logged.points()[next]), qPrintable(QString::number(point.step)));
            ++next;
        }
    }
    QCOMPARE(next, logged.points().size());
}

void TstPlotView::zoomedOut_extremesAreDrawn_data()
{
    QTest::addColumn<double>("halfWidth");
    QTest::newRow("all") << 200000.0;
    QTest::newRow("half") << 50000.0;
    QTest::newRow("tenth") << 10000.0;
    QTest::newRow("hundredth") << 1000.0;
    QTest::newRow("few") << 20.0;
}

void TstPlotView::zoomedOut_extremesAreDrawn()
{
    QFETCH(double, halfWidth);
    run::Series series = noisySeries(100000);
    run::Series spiked;
    for (run::Point point : series.points()) {
        point.value = point.step == 60000 ? 50 : point.step == 60001 ? -50 : point.value;
        spiked.append(point);
    }
    Shown shown;
    shown.view.setCurves({ curveOf(shared(spiked)) });
    shown.view.zoomX(60000 - halfWidth, 60000 + halfWidth);
    shown.view.refresh();
    const auto drawn = shown.view.points(QStringLiteral("train"));
    QCOMPARE(leastDrawn(drawn), -50.0);
    QCOMPARE(greatestDrawn(drawn), 50.0);
    QVERIFY(shown.view.plot()->yAxis->range().contains(50));
    QVERIFY(shown.view.plot()->yAxis->range().contains(-50));
}

void TstPlotView::nanAndInf_areMarkedAndCounted()
{
    run::Series series = noisySeries(100);
    series.append({ 101, 1e9 + 51, kNan });
    series.append({ 102, 1e9 + 52, kNan });
    series.append({ 103, 1e9 + 53, -kInf });
    series.append({ 104, 1e9 + 54, 2.5 });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    QCPLegend* legend = shown.view.plot()->legend;
    QCOMPARE(legend->itemCount(), 1);
    auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(0));
    QCOMPARE(item->plottable()->name(), QStringLiteral("train · 2 NaN, 1 Inf"));
    std::vector<double> marked;
    for (int i = 0; i < shown.view.plot()->graphCount(); ++i) {
        QCPGraph* graph = shown.view.plot()->graph(i);
        if (graph->valueAxis() != shown.view.plot()->yAxis2)
            continue;
        for (const QCPGraphData& mark : *graph->data()) {
            QVERIFY(mark.value > 0.9 && mark.value < 1); // at the top edge, inside it
            marked.push_back(mark.key);
        }
    }
    QCOMPARE(marked, (std::vector<double> { 101, 102, 103 }));
    QVERIFY(shown.view.plot()->yAxis->range().size() < 10);
}

void TstPlotView::lonePointBetweenNans_isADot()
{
    run::Series series;
    for (int64_t step = 1; step <= 201; ++step)
        series.append({ step, 1e9, step == 101 ? 2.0 : kNan });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    int dots = 0;
    for (int i = 0; i < shown.view.plot()->graphCount(); ++i) {
        QCPGraph* graph = shown.view.plot()->graph(i);
        if (graph->valueAxis() == shown.view.plot()->yAxis && !graph->scatterStyle().isNone())
            dots += graph->data()->size();
    }
    QCOMPARE(dots, 1);
}

void TstPlotView::manyNans_costAtMostAMarkerAPixel()
{
    run::Series series;
    for (int64_t step = 1; step <= 200000; ++step)
        series.append({ step, 1e9, kNan });
    Shown shown;
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    int marks = 0;
    for (int i = 0; i < shown.view.plot()->graphCount(); ++i)
        marks += shown.view.plot()->graph(i)->data()->size();
    QVERIFY2(marks > 10 && marks <= 600, qPrintable(QString::number(marks)));
}

void TstPlotView::millionPoints_areFedInWidth()
{
    Shown shown;
    const auto series = shared(noisySeries(1000000));
    shown.view.setCurves({ curveOf(series) });
    shown.view.refresh();
    const size_t drawn = shown.view.points(QStringLiteral("train")).size();
    const auto width = static_cast<size_t>(shown.view.plot()->width());
    QVERIFY2(drawn <= 2 * width && drawn >= width / 2, qPrintable(QString::number(drawn)));
    QVERIFY(shown.view.plot()->plottingHints().testFlag(QCP::phFastPolylines));
}

void TstPlotView::growingSeries_keepsFollowing()
{
    Shown shown;
    run::Series series = noisySeries(50);
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    series.append({ 51, 1e9 + 26, kNan });
    series.append({ 52, 1e9 + 27, 9.0 });
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    QVERIFY(shown.view.plot()->xAxis->range().contains(52));
    QVERIFY(isEqual(shown.view.points(QStringLiteral("train")).back(), { 52, 1e9 + 27, 9.0 }));
    auto* item = qobject_cast<QCPPlottableLegendItem*>(shown.view.plot()->legend->item(0));
    QCOMPARE(item->plottable()->name(), QStringLiteral("train · 1 NaN"));
}

void TstPlotView::replacedSeries_forgetsTheOld()
{
    Shown shown;
    run::Series series = noisySeries(50);
    series.append({ 51, 1e9 + 26, kNan });
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    series.dropAfterStep(40); // as a resume does
    for (int64_t step = 41; step <= 60; ++step)
        series.append({ step, 2e9, 1.0 });
    shown.view.setCurves({ curveOf(shared(series)) });
    shown.view.refresh();
    QCOMPARE(shown.view.plot()->legend->itemCount(), 0);
    QCOMPARE(shown.view.points(QStringLiteral("train")).size(), size_t { 60 });
}

void TstPlotView::smoothing_isCorrectedAverage()
{
    run::Series series;
    CurveDerived derived;
    double average = 0;
    for (int64_t step = 1; step <= 20; ++step) {
        const auto value = static_cast<double>(step * step);
        series.append({ step, 1e9, value });
        average = 0.9 * average + 0.1 * value;
        derived.update(series, 0.9); // one point at a time, as a live run grows
        const double expected = average / (1 - std::pow(0.9, static_cast<double>(step)));
        QVERIFY(std::abs(derived.smoothed().points().back().value - expected) < 1e-9 * expected);
    }
    QCOMPARE(derived.smoothed().points().size(), series.points().size());
    QCOMPARE(derived.smoothed().points().front().value, 1.0);
}

void TstPlotView::homeKey_showsAllAgain()
{
    Shown shown;
    shown.view.setCurves({ curveOf(shared(noisySeries(1000))) });
    shown.view.refresh();
    const QCPRange whole = shown.view.plot()->xAxis->range();
    QSignalSpy zoomed(&shown.view, &PlotView::zoomed);
    QTest::keyClick(&shown.view, Qt::Key_Plus);
    QVERIFY(shown.view.plot()->xAxis->range().size() < 0.9 * whole.size());
    QCOMPARE(zoomed.count(), 1);
    QTest::keyClick(&shown.view, Qt::Key_Home);
    shown.view.refresh();
    QCOMPARE(shown.view.plot()->xAxis->range().lower, whole.lower);
    QCOMPARE(shown.view.plot()->xAxis->range().upper, whole.upper);
}

void TstPlotView::palette_isFollowed()
{
    Shown shown;
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(20, 21, 22));
    dark.setColor(QPalette::Text, QColor(230, 231, 232));
    shown.view.setPalette(dark);
    shown.view.refresh();
    QTRY_COMPARE(shown.view.grab().toImage().pixelColor(2, 2), QColor(20, 21, 22));
    QCOMPARE(shown.view.plot()->legend->textColor(), QColor(230, 231, 232));
}

void TstPlotView::csv_hasEveryPointExactly()
{
    run::Series series;
    series.append({ 1, 1000000000.125, 0.1 });
    series.append({ 2, 1000000001.5, kNan });
    series.append({ 3, 1000000002, -kInf });
    PlotView view(kSpec);
    view.setCurves({ curveOf(shared(series), QStringLiteral("a, \"b\"")),
        curveOf(shared(series), QStringLiteral("=1+1")) });
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("all.csv"));
    QVERIFY(csvExport(path, { &view })());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(),
        QByteArray("plot,curve,step,wall_time,value\n"
                   "loss,\"a, \"\"b\"\"\",1,1000000000.125,0.1\n"
                   "loss,\"a, \"\"b\"\"\",2,1000000001.5,nan\n"
                   "loss,\"a, \"\"b\"\"\",3,1000000002.0,-inf\n"
                   "loss,'=1+1,1,1000000000.125,0.1\n"
                   "loss,'=1+1,2,1000000001.5,nan\n"
                   "loss,'=1+1,3,1000000002.0,-inf\n"));
}

void TstPlotView::pictures_areWrittenAndFailuresNamed()
{
    QTemporaryDir folder;
    PlotView view(kSpec);
    view.setCurves({ curveOf(shared(noisySeries(1000))) });
    const QSize size(500, 300);
    const auto paint = [&](QCPPainter& painter) { paintTiled(painter, { &view }, 1, size); };
    for (const char* suffix : { "png", "pdf", "svg" }) {
        const QString path = folder.filePath(QStringLiteral("plot.") + QLatin1String(suffix));
        QVERIFY(pictureExport(path, size, paint)());
        QVERIFY2(QFileInfo(path).size() > 3000, suffix);
    }
    QImage image(folder.filePath(QStringLiteral("plot.png")));
    QCOMPARE(image.size(), 2 * size);
    const Status unknown
        = pictureExport(folder.filePath(QStringLiteral("plot.bmp2")), size, paint)();
    QVERIFY(!unknown && unknown.error().message.find(".pdf") != std::string::npos);
    const Status missing
        = pictureExport(folder.filePath(QStringLiteral("no/plot.png")), size, paint)();
    QVERIFY(!missing && missing.error().message.find("no/plot.png") != std::string::npos);
}

EARWRIGHT_TEST(TstPlotView)
#include "tst_plot_view.moc"
