#pragma once

#include "ui/widgets/plot_colors.h"
#include "ui/widgets/plot_view.h"

#include <random>

namespace earwright::ui {

inline run::Series noisySeries(int64_t size)
{
    run::Series series;
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, 0.2);
    for (int64_t step = 1; step <= size; ++step)
        series.append({ step, 1e9 + 0.5 * static_cast<double>(step), 3 + noise(random) });
    return series;
}

inline std::shared_ptr<const run::Series> shared(run::Series series)
{
    return std::make_shared<const run::Series>(std::move(series));
}

inline PlotCurve curveOf(
    std::shared_ptr<const run::Series> series, const QString& name = QStringLiteral("train"))
{
    return { .name = name,
        .label = {},
        .series = std::move(series),
        .origin = { 1e9, 100 },
        .color = cycleColor(0) };
}

inline const PlotSpec kSpec { QStringLiteral("loss"), QStringLiteral("Loss"),
    QStringLiteral("nats") };

/// A plot of the size that it has on a page.
struct Shown {
    PlotView view { kSpec };
    Shown()
    {
        view.resize(600, 300);
        view.show();
    }
};

} // namespace earwright::ui
