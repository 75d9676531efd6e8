#include "ui/monitor/monitor_page.h"

#include "ui/monitor/alert_model.h"
#include "ui/monitor/monitor_curves.h"
#include "ui/monitor/run_header.h"
#include "ui/runs/log_panel.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_export_dialog.h"

#include <QLabel>
#include <QListView>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace kymo::ui {

MonitorPage::MonitorPage(const QList<QAction*>& emptyActions, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_header(new RunHeader(this))
    , m_board(new PlotBoard(this))
    , m_error(new QLabel(this))
    , m_alerts(new AlertModel(this))
    , m_alertView(new QListView(this))
    , m_log(new LogPanel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_stack->addWidget(new EmptyState({ .iconName = QStringLiteral("office-chart-line"),
        .title = tr("No run to show"),
        .hint = tr("Open a recipe and start it, or choose a run in the list at the left. Its curves appear here while it trains."),
        .actions = emptyActions }));
    m_stack->addWidget(buildContent());
    for (const PlotSpec& spec : monitorPlots())
        m_board->addPlot(spec);
    connectParts();
}

QWidget* MonitorPage::buildContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(8);
    m_error->setObjectName(QStringLiteral("runError"));
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_error->setMargin(8);
    m_error->hide();
    auto* splitter = new QSplitter(Qt::Vertical, content);
    splitter->addWidget(m_board);
    splitter->addWidget(buildDetails());
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(true);
    layout->addWidget(m_header);
    layout->addWidget(m_error);
    layout->addWidget(splitter, 1);
    return content;
}

QWidget* MonitorPage::buildDetails()
{
    m_details = new QTabWidget(this);
    m_details->setDocumentMode(true);
    m_alertView->setObjectName(QStringLiteral("alerts"));
    m_alertView->setAccessibleName(tr("Alerts"));
    m_alertView->setModel(m_alerts);
    m_alertView->setWordWrap(true);
    m_alertView->setFrameShape(QFrame::NoFrame);
    m_alertView->setSpacing(3);
    m_alertView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_details->addTab(m_log, tr("Log"));
    m_details->addTab(m_alertView, tr("Alerts"));
    m_details->setMinimumHeight(110);
    return m_details;
}

void MonitorPage::connectParts()
{
    connect(m_header, &RunHeader::stopRequested, this, &MonitorPage::stopRequested);
    connect(m_board, &PlotBoard::exportRequested, this, &MonitorPage::exportPlots);
}

void MonitorPage::setRun(const QString& runPath)
{
    if (runPath == m_runPath)
        return;
    clear();
    m_runPath = runPath;
    m_header->setRun(runPath);
    m_stack->setCurrentIndex(1);
}

void MonitorPage::setSnapshot(const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    if (runPath != m_runPath || !snapshot)
        return;
    m_header->setSnapshot(runPath, *snapshot);
    m_board->setCurves(monitorCurves(runPath, snapshot));
    m_log->setSnapshot(runPath, snapshot);
    showAlerts(*snapshot);
}

void MonitorPage::clear()
{
    m_runPath.clear();
    m_board->setCurves(std::vector<std::vector<PlotCurve>>(m_board->plots().size()));
    m_log->clear();
    showAlerts({});
    m_stack->setCurrentIndex(0);
}

void MonitorPage::showAlerts(const run::Snapshot& snapshot)
{
    const QString error = QString::fromStdString(snapshot.error);
    const QString remedy = whatToTry(snapshot.error);
    m_error->setText(remedy.isEmpty() ? error : error + QLatin1Char('\n') + remedy);
    m_error->setVisible(!error.isEmpty());
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, toneColor(Tone::Bad, palette()));
    m_error->setPalette(colors);
    m_alerts->setAlerts(alertsOf(snapshot));
    const int count = m_alerts->rowCount();
    m_details->setTabText(1, count > 0 ? tr("Alerts (%1)").arg(count) : tr("Alerts"));
}

void MonitorPage::exportPlots()
{
    openExportDialog(*this, { tr("Plots (*.png)"), tr("Plots (*.pdf)"), tr("Plots (*.svg)"), tr("All logged points (*.csv)") },
        [this](const QString& path, int) { return m_board->exportTo(path); });
}

} // namespace kymo::ui
