#include "ui/compare/speed_bars.h"

#include "ui/monitor/run_facts.h"
#include "ui/widgets/plot_theme.h"
#include "ui/widgets/qcp.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace earwright::ui {

namespace {

constexpr int kLabelWidth = 120;
constexpr int kFigureWidth = 120; ///< "123.45  1.23×"
constexpr int kShortestBar = 40;
constexpr size_t kMostBars = 12;

std::optional<double> speedOf(const CompareRun& run)
{
    return run.snapshot ? typicalSpeed(*run.snapshot) : std::nullopt;
}

QString barText(double speed, double baseline)
{
    const QString text = QString::number(speed, 'f', 2);
    return baseline > 0 ? text + QStringLiteral("  %1×").arg(speed / baseline, 0, 'f', 2) : text;
}

} // namespace

SpeedBars::SpeedBars(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
{
    setObjectName(QStringLiteral("speedBars"));
    setAccessibleName(tr("Iteration speed of the runs"));
    m_plot->setAccessibleName(accessibleName());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1); // the frame
    layout->addWidget(m_plot);
    QFont bold = font();
    bold.setBold(true);
    m_title = new QCPTextElement(m_plot, tr("Iteration speed"), bold);
    m_title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    m_title->setMargins(QMargins(10, 6, 10, 4));
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, m_title);
    m_plot->axisRect()->setMinimumMargins(QMargins(64, 6, 14, 0));
    m_plot->xAxis->setLabel(tr("it/s (× baseline)"));
    m_plot->yAxis->setRangeReversed(true);
    m_plot->yAxis->grid()->setVisible(false);
    applyTheme(*m_plot, palette());
}

std::vector<CompareRun> runsWithBars(
    const std::vector<CompareRun>& runs, const QString& baselinePath)
{
    if (runs.size() <= kMostBars)
        return runs;
    std::vector<std::pair<double, size_t>> others; // speed, place among the runs
    std::vector<CompareRun> shown;
    for (size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].path == baselinePath)
            shown.push_back(runs[i]);
        else
            others.emplace_back(-speedOf(runs[i]).value_or(0), i);
    }
    std::sort(others.begin(), others.end());
    const size_t room = kMostBars - shown.size();
    const size_t numFastest = (room + 1) / 2;
    std::vector<CompareRun> ordered;
    for (size_t i = 0; i < numFastest; ++i)
        ordered.push_back(runs[others[i].second]);
    ordered.insert(ordered.end(), shown.begin(), shown.end());
    for (size_t i = others.size() - (room - numFastest); i < others.size(); ++i)
        ordered.push_back(runs[others[i].second]);
    return ordered;
}

void SpeedBars::setRuns(const std::vector<CompareRun>& all, const QString& baselinePath)
{
    m_plot->clearPlottables();
    m_plot->clearItems();
    const std::vector<CompareRun> runs = runsWithBars(all, baselinePath);
    m_numBars = static_cast<int>(runs.size());
    m_title->setText(runs.size() == all.size()
            ? tr("Iteration speed")
            : tr("Iteration speed: the fastest and slowest of %1 runs")
                  .arg(QLocale().toString(all.size())));
    const auto found = std::find_if(
        runs.begin(), runs.end(), [&](const CompareRun& run) { return run.path == baselinePath; });
    const double baseline = found == runs.end() ? 0 : speedOf(*found).value_or(0);
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    double fastest = 0;
    double place = 0;
    for (const CompareRun& run : runs) {
        const double speed = speedOf(run).value_or(0);
        fastest = std::max(fastest, speed);
        ticker->addTick(
            place, m_plot->fontMetrics().elidedText(run.name, Qt::ElideMiddle, kLabelWidth));
        addBar(run, place, speed, baseline);
        place += 1;
    }
    m_plot->yAxis->setTicker(ticker);
    m_plot->yAxis->setRange(-0.6, std::max(0.6, place - 0.4));
    m_fastest = fastest;
    fitRange(m_plot->width());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void SpeedBars::addBar(const CompareRun& run, double place, double speed, double baseline)
{
    auto* bar = new QCPBars(m_plot->yAxis, m_plot->xAxis);
    bar->setWidth(0.62);
    bar->setPen(Qt::NoPen);
    bar->setBrush(run.color);
    bar->setName(run.name);
    bar->setData({ place }, { speed }, true);
    auto* text = new QCPItemText(m_plot);
    text->setText(speed > 0 ? barText(speed, baseline) : tr("no speed yet"));
    text->setColor(palette().color(QPalette::Text));
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    text->setPadding(QMargins(6, 0, 0, 0));
    text->position->setCoords(speed, place);
}

/// Leaves room for the text behind the longest bar in a picture of some width.
void SpeedBars::fitRange(int widthPx)
{
    const double forBars
        = static_cast<double>(std::max(kShortestBar, widthPx - kLabelWidth - kFigureWidth));
    m_plot->xAxis->setRange(0, m_fastest > 0 ? m_fastest * (1 + kFigureWidth / forBars) : 1);
}

void SpeedBars::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitRange(width());
}

void SpeedBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void SpeedBars::paint(QCPPainter& painter, QSize size)
{
    fitRange(size.width());
    m_plot->toPainter(&painter, size.width(), size.height());
}

void SpeedBars::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    applyTheme(*m_plot, palette());
    for (int i = 0; i < m_plot->itemCount(); ++i) {
        if (auto* text = qobject_cast<QCPItemText*>(m_plot->item(i)))
            text->setColor(palette().color(QPalette::Text));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace earwright::ui
