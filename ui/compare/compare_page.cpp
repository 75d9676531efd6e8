#include "ui/compare/compare_page.h"

#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/report.h"
#include "ui/compare/report_verdicts.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_sort.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_export_dialog.h"
#include "ui/widgets/plot_tool_bar.h"
#include "ui/widgets/when_done.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QtConcurrentRun>
#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {

namespace {

constexpr int kWidestBaseline = 260;
constexpr int kUpdateMs = 33; ///< in which snapshots come together
constexpr int kSliceMs = 2; ///< for what else waits, while there are more than are taken at once
constexpr size_t kRunsAtOnce = 24; ///< their figures and curves take a third of a frame
constexpr qint64 kDrawingIntervalMs = 250; ///< while more snapshots wait

} // namespace

ComparePage::ComparePage(const QList<QAction*>& emptyActions, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_board(new PlotBoard(this))
    , m_bars(new SpeedBars(this))
    , m_baseline(new QComboBox(this))
    , m_model(new CompareModel(this))
    , m_sorted(new FigureSort(this))
    , m_table(new FigureTable(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_stack->addWidget(new EmptyState({ .iconName = QStringLiteral("view-split-left-right"),
        .title = tr("Nothing to compare"),
        .hint = tr("Select two or more runs in the list at the left, or train the open recipe in "
                   "several precisions: their curves, speed "
                   "and error rates appear here side by side, also while they run."),
        .actions = emptyActions }));
    m_stack->addWidget(buildContent());
    setFocusProxy(m_table);
    connectParts();
}

QWidget* ComparePage::buildContent()
{
    for (const PlotSpec& spec : comparePlots())
        m_board->addPlot(spec);
    m_board->addPanel(m_bars);
    auto* baselineBox = new QWidget(this);
    auto* row = new QHBoxLayout(baselineBox);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("&Baseline"), baselineBox);
    label->setBuddy(m_baseline);
    m_baseline->setObjectName(QStringLiteral("baseline"));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_baseline->setMinimumContentsLength(9); // where there is no room for more
    m_baseline->setMaximumWidth(kWidestBaseline);
    row->addWidget(label);
    row->addWidget(m_baseline);
    m_board->toolBar()->addControl(baselineBox);
    buildTable();
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setContentsMargins(10, 10, 10, 10);
    splitter->addWidget(m_board);
    splitter->addWidget(m_table);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    return splitter;
}

void ComparePage::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(CompareModel::SortRole);
    m_table->setObjectName(QStringLiteral("compareTable"));
    m_table->setAccessibleName(tr("Figures of the runs"));
    m_table->setModel(m_sorted);
    m_table->setHiddenWhenEmpty(columnsHiddenWhenEmpty());
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->setMinimumHeight(110);
    m_table->setMouseTracking(true); // for entered()
    m_table->viewport()->installEventFilter(this);
}

void ComparePage::connectParts()
{
    connect(m_board, &PlotBoard::exportRequested, this, &ComparePage::openExport);
    connect(m_baseline, &QComboBox::currentIndexChanged, this,
        [this] { setBaseline(m_baseline->currentData().toString()); });
    connect(m_board->toolBar(), &PlotToolBar::xAxisChosen, this, [this](XAxis axis) {
        m_axis = axis;
        draw();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_runs.size() > kMostCurves) // below, all have their curves
            draw();
    });
    connect(&m_update, &QTimer::timeout, this, &ComparePage::onUpdate);
    connect(m_table, &QAbstractItemView::entered, m_board, [this](const QModelIndex& index) {
        m_board->highlight(index.data(CompareModel::PathRole).toString());
    });
    connect(m_table, &QAbstractItemView::viewportEntered, m_board,
        [this] { m_board->highlight({}); }); // below the last row
    connect(m_table, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        setBaseline(index.data(CompareModel::PathRole).toString());
    });
}

/// The curves of the row that the pointer leaves are as the others again.
bool ComparePage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave)
        m_board->highlight({});
    return QWidget::eventFilter(watched, event);
}

void ComparePage::setRuns(const std::vector<CompareRun>& runs)
{
    m_runs = runs;
    m_rowOfRun.clear();
    m_names.clear();
    for (size_t i = 0; i < runs.size(); ++i) {
        m_rowOfRun.insert(runs[i].path, i);
        m_names << runs[i].name;
    }
    readOverrides();
    showRuns();
    m_stack->setCurrentIndex(runs.empty() ? 0 : 1);
}

/// Of those that are new here; names and what differs come with them.
void ComparePage::readOverrides()
{
    QStringList unread;
    for (const CompareRun& run : m_runs) {
        if (m_overrides.contains(run.path))
            continue;
        unread << run.path;
        m_overrides.insert(run.path, {});
    }
    if (unread.isEmpty())
        return;
    whenDone(QtConcurrent::run(readOverridesOf, unread), this, [this](const OverridesByPath& read) {
        const auto hasSome = [](const auto& overrides) { return !overrides.empty(); };
        m_overrides.insert(read);
        if (std::any_of(read.begin(), read.end(), hasSome))
            showRuns();
    });
}

void ComparePage::showRuns()
{
    m_changed.clear();
    const auto hasSome
        = [this](const CompareRun& run) { return !m_overrides.value(run.path).empty(); };
    if (std::any_of(m_runs.begin(), m_runs.end(), hasSome))
        nameByDifferences(m_runs, m_names, m_overrides);
    m_model->setRuns(m_runs);
    fillBaselines();
    draw();
}

void ComparePage::setSnapshot(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    const auto found = m_rowOfRun.constFind(runPath);
    if (found == m_rowOfRun.constEnd() || m_runs[*found].snapshot == snapshot)
        return;
    m_runs[*found].snapshot = snapshot;
    m_changed.insert(*found);
    if (!m_update.isActive())
        m_update.start(kUpdateMs);
}

void ComparePage::takeSnapshots(size_t most)
{
    std::map<size_t, std::shared_ptr<const run::Snapshot>> taken;
    while (!m_changed.empty() && taken.size() < most) {
        const size_t row = *m_changed.begin();
        m_changed.erase(m_changed.begin());
        taken.emplace(row, m_runs[row].snapshot);
    }
    m_model->setSnapshots(taken);
}

void ComparePage::onUpdate()
{
    takeSnapshots(kRunsAtOnce);
    if (m_changed.empty() || m_sinceDrawn.elapsed() >= kDrawingIntervalMs)
        draw();
    if (m_changed.empty())
        m_update.stop();
    else
        m_update.start(kSliceMs);
}

void ComparePage::draw()
{
    m_sinceDrawn.start();
    // What waits comes with its row.
    std::vector<CompareRun> shown = m_runs;
    for (const size_t row : m_changed)
        shown[row].snapshot = m_model->snapshot(row);
    m_board->setCurves(m_curves.of(shown, m_axis, singleRuns()));
    m_bars->setRuns(shown, baseline());
}

/// The baseline, and what is selected in the table.
QStringList ComparePage::singleRuns() const
{
    QStringList runs { baseline() };
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        runs << index.data(CompareModel::PathRole).toString();
    return runs;
}

bool ComparePage::listsBaselines() const
{
    bool isSame = m_baseline->count() == static_cast<int>(m_runs.size());
    for (int i = 0; isSame && i < m_baseline->count(); ++i) {
        const CompareRun& run = m_runs[static_cast<size_t>(i)];
        isSame
            = m_baseline->itemData(i).toString() == run.path && m_baseline->itemText(i) == run.name;
    }
    return isSame;
}

void ComparePage::fillBaselines()
{
    if (listsBaselines())
        return; // snapshots come all the time: a list that is open would lose its place
    const QString chosen = baseline();
    const QSignalBlocker blocker(m_baseline);
    m_baseline->clear();
    for (const CompareRun& run : m_runs)
        m_baseline->addItem(run.name, run.path);
    m_baseline->setCurrentIndex(m_runs.empty() ? -1 : std::max(0, m_baseline->findData(chosen)));
    m_baseline->setToolTip(plainTip(m_baseline->currentText())); // the box may be too narrow for it
    m_model->setBaseline(m_baseline->currentData().toString());
}

void ComparePage::setBaseline(const QString& path)
{
    m_model->setBaseline(path);
    const QSignalBlocker blocker(m_baseline);
    m_baseline->setCurrentIndex(m_baseline->findData(path));
    m_baseline->setToolTip(plainTip(m_baseline->currentText()));
    draw();
}

QString ComparePage::baseline() const
{
    return m_model->baseline();
}

Export ComparePage::prepareTableExport(const QString& path)
{
    takeSnapshots(m_runs.size());
    return bytesExport(path, tableToCsv(*m_model));
}

void ComparePage::exportReport(const QString& path)
{
    const QString against = baseline();
    whenDone(QtConcurrent::run(reportVerdicts, m_runs, against), this,
        [this, path, runs = m_runs, against](const QStringList& verdicts) {
            runExport(*this, path, reportExport(path, runs, against, verdicts));
        });
}

Export ComparePage::preparePointsExport(const QString& path) const
{
    CurvesByPlot plots;
    const auto curves = compareCurves(m_runs);
    for (size_t i = 0; i < curves.size(); ++i)
        plots.emplace_back(m_board->plots()[i]->spec().id, curves[i]);
    return csvExport(path, std::move(plots));
}

void ComparePage::openExport()
{
    askForExport(*this,
        { tr("Report (*.png)"), tr("Report (*.pdf)"), tr("Table (*.csv)"),
            tr("All logged points (*.csv)") },
        [this](const QString& path, int filter) {
            if (filter == 3)
                runExport(*this, path, preparePointsExport(path));
            else if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
                runExport(*this, path, prepareTableExport(path));
            else
                exportReport(path);
        });
}

} // namespace earwright::ui
