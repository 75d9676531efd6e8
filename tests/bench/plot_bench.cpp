// What a frame of a plot 1,200 pixels wide costs: every point handed to QCustomPlot, and through
// the min/max pyramid. Run with QT_QPA_PLATFORM=offscreen. Each line gives the median of some
// frames in milliseconds and ends in ratio=R: raw over pyramid, or the target over what was
// measured.

#include "ui/widgets/plot_view.h"
#include "ui/widgets/qcp.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <QApplication>
#include <QElapsedTimer>
#include <random>

using earwright::run::Series;
using earwright::ui::PlotCurve;
using earwright::ui::PlotView;

namespace {

constexpr int kFrames = 15;
constexpr QSize kSize { 1200, 700 };

std::shared_ptr<Series> noisySeries(int64_t count, unsigned seed)
{
    auto series = std::make_shared<Series>();
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.2);
    const double decay = static_cast<double>(count) / 5;
    for (int64_t step = 1; step <= count; ++step) {
        const auto key = static_cast<double>(step);
        series->append({ step, key, 5 * std::exp(-key / decay) + noise(random) });
    }
    return series;
}

double medianMs(const std::function<void()>& frame)
{
    std::vector<double> times;
    for (int i = 0; i < kFrames; ++i) {
        QElapsedTimer timer;
        timer.start();
        frame();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::nth_element(times.begin(), times.begin() + kFrames / 2, times.end());
    return times[kFrames / 2];
}

double rawMs(const Series& series)
{
    QCustomPlot plot;
    plot.resize(kSize);
    plot.setPlottingHint(QCP::phFastPolylines);
    QCPGraph* graph = plot.addGraph();
    graph->setPen(QPen(Qt::blue, 1.6));
    return medianMs([&] {
        QVector<QCPGraphData> data;
        data.reserve(static_cast<qsizetype>(series.points().size()));
        for (const earwright::run::Point& point : series.points())
            data.append({ static_cast<double>(point.step), point.value });
        graph->data()->set(data, true);
        plot.rescaleAxes();
        plot.replot(QCustomPlot::rpImmediateRefresh);
    });
}

PlotCurve curveOf(std::shared_ptr<const Series> series, int index)
{
    PlotCurve curve;
    curve.name = QString::number(index);
    curve.series = std::move(series);
    curve.color = QColor::fromHsv(index * 37 % 360, 200, 180);
    return curve;
}

/// `zoom` moves the window before each frame, as a user who drags does.
double viewMs(const std::vector<PlotCurve>& curves, const std::function<void(PlotView&, int)>& zoom)
{
    PlotView view({ QStringLiteral("loss"), QStringLiteral("Loss"), {} });
    view.resize(kSize);
    view.show();
    view.setCurves(curves);
    view.refresh();
    int frame = 0;
    return medianMs([&] {
        zoom(view, frame++);
        view.refresh();
        view.plot()->replot(QCustomPlot::rpImmediateRefresh);
    });
}

void printAgainstTarget(const char* what, double ms, double targetMs)
{
    std::printf("%s ms=%.2f target_ms=%.0f ratio=%.2f\n", what, ms, targetMs, targetMs / ms);
}

void benchAgainstRaw(int64_t count)
{
    const auto series = noisySeries(count, 1);
    const double raw = rawMs(*series);
    const double pyramid = viewMs({ curveOf(series, 0) }, [](PlotView&, int) {});
    std::printf("points=%lld raw_ms=%.2f pyramid_ms=%.2f ratio=%.1f\n",
        static_cast<long long>(count), raw, pyramid, raw / pyramid);
}

void benchPan()
{
    constexpr int64_t kCount = 10'000'000;
    const auto series = noisySeries(kCount, 2);
    const double ms = viewMs({ curveOf(series, 0) },
        [](PlotView& view, int frame) { view.zoomX(1e6 + 5e4 * frame, 6e6 + 5e4 * frame); });
    printAgainstTarget("pan over 10 M points", ms, 8);
}

void benchManyCurves()
{
    std::vector<PlotCurve> curves;
    for (int i = 0; i < 50; ++i)
        curves.push_back(curveOf(noisySeries(200'000, static_cast<unsigned>(i)), i));
    const double ms = viewMs(curves,
        [](PlotView& view, int frame) { view.zoomX(1e4 + 1e3 * frame, 1.5e5 + 1e3 * frame); });
    printAgainstTarget("pan over 50 curves of 200 k points", ms, 16);
}

void benchAppend()
{
    const auto series = noisySeries(1'000'000, 3);
    int64_t step = 1'000'000;
    const double ms = viewMs({ curveOf(series, 0) }, [&](PlotView&, int) {
        for (int i = 0; i < 1000; ++i, ++step)
            series->append({ step, static_cast<double>(step), 0.1 });
    });
    printAgainstTarget("1,000 new points on 1 M", ms, 16);
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    benchAgainstRaw(100'000);
    benchAgainstRaw(1'000'000);
    benchPan();
    benchManyCurves();
    benchAppend();
    return 0;
}
