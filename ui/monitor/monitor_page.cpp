#include "ui/monitor/monitor_page.h"

#include "ui/monitor/alert_model.h"
#include "ui/monitor/evaluation_panel.h"
#include "ui/monitor/hotword_panel.h"
#include "ui/monitor/monitor_curves.h"
#include "ui/monitor/run_header.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_export_dialog.h"
#include "ui/widgets/text_tone.h"

#include <QLabel>
#include <QListView>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr int kAlertsHeight = 130;
constexpr int kLeastAlertsHeight = 40;
constexpr int kLeastViewsHeight = 330; ///< a plot below three rows of controls
constexpr int kMostErrorLines = 9; ///< of a longer one the others scroll

} // namespace

MonitorPage::MonitorPage(const QList<QAction*>& emptyActions, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_header(new RunHeader(this))
    , m_views(new QTabWidget(this))
    , m_board(new PlotBoard(this))
    , m_evaluations(new EvaluationPanel(this))
    , m_hotwordPanel(new HotwordPanel(this))
    , m_error(new QLabel)
    , m_errorBox(new ColumnScroll(m_error))
    , m_offer(new InfoBar(this))
    , m_alerts(new AlertModel(this))
    , m_alertToggle(new QToolButton(this))
    , m_alertView(new QListView(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_stack->addWidget(new EmptyState({ .iconName = QStringLiteral("office-chart-line"),
        .title = tr("No run to show"),
        .hint = tr("Open a recipe and start it, or choose a run in the list at the left. Its "
                   "curves appear here while it trains."),
        .actions = emptyActions }));
    auto* scroll = new ColumnScroll(buildContent());
    scroll->setAccessibleName(tr("The run"));
    m_stack->addWidget(scroll);
    setFocusProxy(m_views);
    for (const PlotSpec& spec : monitorPlots())
        m_board->addPlot(spec);
    connectParts();
}

QWidget* MonitorPage::buildContent()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(8);
    buildViews();
    buildAlerts();
    layout->addWidget(m_header);
    layout->addWidget(buildError());
    layout->addWidget(m_offer);
    layout->addWidget(m_views, 1);
    layout->addWidget(m_alertToggle);
    layout->addWidget(m_alertView);
    return content;
}

QWidget* MonitorPage::buildError()
{
    m_error->setObjectName(QStringLiteral("runError"));
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_error->setMargin(8);
    m_errorBox->setObjectName(QStringLiteral("runErrorBox"));
    m_errorBox->setAccessibleName(tr("Why the run failed"));
    m_errorBox->fitToContent(kMostErrorLines * fontMetrics().lineSpacing());
    m_errorBox->hide();
    return m_errorBox;
}

void MonitorPage::buildViews()
{
    m_views->setObjectName(QStringLiteral("views"));
    m_views->setDocumentMode(true);
    m_views->setMinimumHeight(kLeastViewsHeight);
    // The page scrolls where they would get less than that, not where they would get less than they
    // want.
    m_views->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_views->setAccessibleName(tr("Views of the run"));
    m_views->tabBar()->setAccessibleName(m_views->accessibleName());
    m_views->tabBar()->setDrawBase(false);
    m_board->setContentsMargins(0, 6, 0, 0); // below the tabs
    m_views->insertTab(Curves, m_board, tr("C&urves"));
    m_views->insertTab(Evaluations, m_evaluations, tr("Evaluatio&ns"));
    m_views->insertTab(Hotwords, m_hotwordPanel, tr("Hot&words"));
}

void MonitorPage::buildAlerts()
{
    m_alertToggle->setObjectName(QStringLiteral("alertToggle"));
    m_alertToggle->setCheckable(true);
    m_alertToggle->setAutoRaise(true);
    m_alertToggle->setArrowType(Qt::RightArrow);
    m_alertToggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    // A long alert is elided here; else the window could be no narrower than it.
    m_alertToggle->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_alertToggle->setMinimumWidth(1);
    m_alertView->setObjectName(QStringLiteral("alerts"));
    m_alertView->setAccessibleName(tr("Alerts"));
    m_alertView->setModel(m_alerts);
    m_alertView->setWordWrap(true);
    m_alertView->setFrameShape(QFrame::NoFrame);
    m_alertView->setSpacing(3);
    m_alertView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_alertView->setMinimumHeight(kLeastAlertsHeight);
    m_alertView->setMaximumHeight(kAlertsHeight);
    m_alertToggle->hide();
    m_alertView->hide();
}

void MonitorPage::connectParts()
{
    connect(m_header, &RunHeader::stopRequested, this, &MonitorPage::stopRequested);
    connect(m_header, &RunHeader::resumeRequested, this, &MonitorPage::resumeRequested);
    connect(m_evaluations, &EvaluationPanel::utterancesWanted, this,
        [this](const QString& file) { Q_EMIT utterancesWanted(file, {}); });
    connect(m_hotwordPanel, &HotwordPanel::missesWanted, this, [this](const QString& phrase) {
        if (!m_latestFile.isEmpty())
            Q_EMIT utterancesWanted(m_latestFile, phrase);
    });
    connect(m_board, &PlotBoard::exportRequested, this, &MonitorPage::exportPlots);
    connect(m_alertToggle, &QToolButton::toggled, this, [this](bool isOpen) {
        m_alertToggle->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        m_alertView->setVisible(isOpen);
    });
}

void MonitorPage::setRun(const QString& runPath, const QString& capsule)
{
    if (runPath == m_runPath)
        return;
    clear();
    m_runPath = runPath;
    m_capsule = capsule;
    m_header->setRun(runPath, capsule);
    m_stack->setCurrentIndex(1);
}

void MonitorPage::setSnapshot(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    if (runPath != m_runPath || !snapshot)
        return;
    m_header->setSnapshot(runPath, *snapshot);
    m_board->setCurves(monitorCurves(runPath, snapshot));
    m_board->setMarks(monitorMarks(*snapshot));
    m_evaluations->setSnapshot(*snapshot);
    m_latestFile = snapshot->evaluations.empty()
        ? QString()
        : QString::fromStdString(snapshot->evaluations.back().alignmentsFile);
    showHotwords(m_hotwordPanel->table());
    showAlerts(*snapshot);
    if (m_capsule.isEmpty())
        offerSmallerBatches(snapshot->batchSplits);
}

void MonitorPage::setHotwords(const QString& runPath, const HotwordTablePtr& hotwords)
{
    if (runPath == m_runPath)
        showHotwords(hotwords);
}

void MonitorPage::showHotwords(const HotwordTablePtr& hotwords)
{
    m_hotwordPanel->setTable(hotwords, !m_evaluations->isEmpty());
}

void MonitorPage::showView(View view)
{
    m_views->setCurrentIndex(view);
}

void MonitorPage::clear()
{
    m_runPath.clear();
    m_latestFile.clear();
    m_board->setCurves(std::vector<std::vector<PlotCurve>>(m_board->plots().size()));
    m_board->setMarks({});
    m_evaluations->setSnapshot({});
    showHotwords(nullptr);
    showAlerts({});
    offerSmallerBatches({});
    m_stack->setCurrentIndex(0);
}

void MonitorPage::showAlerts(const run::Snapshot& snapshot)
{
    const QString error = QString::fromStdString(snapshot.error);
    const QString remedy = whatToTry(snapshot);
    m_error->setText(remedy.isEmpty() ? error : error + QLatin1Char('\n') + remedy);
    m_errorBox->setVisible(!error.isEmpty());
    setTextTone(*m_error, Tone::Bad);
    std::vector<Alert> alerts = alertsOf(snapshot);
    std::erase_if(alerts, [&](const Alert& alert) { return alert.title == error; });
    const auto count = static_cast<qsizetype>(alerts.size());
    const QString title = counted(count, tr("%1 &alert"), tr("%1 &alerts"));
    m_alertToggle->setText(
        alerts.empty() ? title : title + QStringLiteral("  ·  ") + alerts.front().title);
    m_alertToggle->setVisible(count > 0);
    m_alertView->setVisible(count > 0 && m_alertToggle->isChecked());
    m_alerts->setAlerts(std::move(alerts));
}

/// Once for each size that did not fit: what was dismissed stays so.
void MonitorPage::offerSmallerBatches(const std::vector<run::BatchSplit>& splits)
{
    if (splits.size() == m_offered)
        return;
    m_offered = splits.size();
    m_offer->hide();
    if (splits.empty())
        return;
    const run::BatchSplit& smallest = *std::max_element(splits.begin(), splits.end(),
        [](const run::BatchSplit& a, const run::BatchSplit& b) { return a.parts < b.parts; });
    QStringList settings;
    for (const std::string& setting : smallest.overrides)
        settings << QString::fromStdString(setting);
    const QString wanted
        = settings.join(tr(" and ")).replace(QLatin1Char('='), QLatin1String(": "));
    m_offer->showMessage(Tone::Warning,
        tr("Batches do not fit into memory and are computed in up to %1 parts. With %2 in the "
           "recipe they would fit, and a step would still take as many utterances.")
            .arg(smallest.parts)
            .arg(wanted),
        { { tr("Change the Recipe"),
            [this, settings, recipe = QString::fromStdString(smallest.recipe)] {
                Q_EMIT recipeChangeWanted(recipe, settings);
            } } });
}

void MonitorPage::exportPlots()
{
    openExportDialog(*this,
        { tr("Plots (*.png)"), tr("Plots (*.pdf)"), tr("Plots (*.svg)"),
            tr("All logged points (*.csv)") },
        [this](const QString& path, int) { return m_board->prepareExport(path); });
}

} // namespace earwright::ui
