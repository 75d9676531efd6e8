#include "ui/compare/compare_page.h"

#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/report.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_sort.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_export_dialog.h"
#include "ui/widgets/plot_tool_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace earwright::ui {

namespace {

constexpr int kWidestBaseline = 260;

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
}

void ComparePage::connectParts()
{
    connect(m_board, &PlotBoard::exportRequested, this, &ComparePage::openExport);
    connect(m_baseline, &QComboBox::currentIndexChanged, this,
        [this] { setBaseline(m_baseline->currentData().toString()); });
    connect(m_table, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        setBaseline(index.data(CompareModel::PathRole).toString());
    });
}

void ComparePage::setRuns(const std::vector<CompareRun>& runs)
{
    m_runs = runs;
    m_model->setRuns(runs);
    m_board->setCurves(compareCurves(runs));
    fillBaselines();
    m_bars->setRuns(runs, baseline());
    m_stack->setCurrentIndex(runs.empty() ? 0 : 1);
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
    m_bars->setRuns(m_runs, path);
}

QString ComparePage::baseline() const
{
    return m_model->baseline();
}

Export ComparePage::prepareExport(const QString& path) const
{
    if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        return bytesExport(path, tableToCsv(*m_model));
    return reportExport(path, m_runs, baseline());
}

void ComparePage::openExport()
{
    openExportDialog(*this,
        { tr("Report (*.png)"), tr("Report (*.pdf)"), tr("Table (*.csv)"),
            tr("All logged points (*.csv)") },
        [this](const QString& path, int filter) {
            return filter == 3 ? m_board->prepareExport(path) : prepareExport(path);
        });
}

} // namespace earwright::ui
