#include "ui/utterances/utterances_page.h"

#include "ui/utterances/evaluation_chooser.h"
#include "ui/utterances/utterance_model.h"
#include "ui/utterances/utterance_panel.h"
#include "ui/utterances/utterance_table.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/plot_export_dialog.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <QAction>
#include <QComboBox>
#include <QHideEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QtConcurrentRun>
#include <QVBoxLayout>

namespace earwright::ui {

namespace {

enum UtterancesState { kWithoutRun, kWithoutEvaluation, kWithUtterances };

constexpr int kLeastFilterWidth = 180;
constexpr int kLeastTableHeight = 90;

/// A control behind its label, in a box of their own.
QWidget* labelled(const QString& text, QWidget* control, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    auto* label = new QLabel(text, box);
    label->setBuddy(control);
    row->addWidget(label);
    row->addWidget(control, 1);
    return box;
}

} // namespace

UtterancesPage::UtterancesPage(const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_chooser(new EvaluationChooser(this))
    , m_filter(new QLineEdit(this))
    , m_count(new ElidedLabel(this))
    , m_bar(new InfoBar(this))
    , m_model(new UtteranceModel(this))
    , m_table(new FigureTable(this))
    , m_panel(new UtterancePanel(actions.play, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    const QString icon = QStringLiteral("office-chart-bar");
    m_stack->addWidget(new EmptyState({ .iconName = icon,
        .title = tr("No run to show"),
        .hint = tr("Choose a run in the list at the left: what it recognised in each utterance of "
                   "its validations and tests appears here."),
        .actions = actions.empty }));
    m_stack->addWidget(new EmptyState({ .iconName = icon,
        .title = tr("No utterances yet"),
        .hint = tr("After each validation and test of the run, every utterance appears here with "
                   "what was said and what was recognised."),
        .actions = {} }));
    auto* scroll = new ColumnScroll(buildContent(actions));
    scroll->setAccessibleName(tr("Utterances and the selected one"));
    m_stack->addWidget(scroll);
    setFocusProxy(m_table);
    connectParts();
}

QWidget* UtterancesPage::buildContent(const Actions& actions)
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 10, 10, 10);
    column->setSpacing(6);
    buildTable(actions);
    auto* splitter = new QSplitter(Qt::Vertical, content);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(m_panel);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    column->addWidget(buildControls());
    column->addWidget(m_bar);
    column->addWidget(splitter, 1);
    return content;
}

QWidget* UtterancesPage::buildControls()
{
    auto* controls = new QWidget(this);
    auto* column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    auto* choices = new QWidget(controls);
    auto* flow = new FlowLayout(FlowLayout::Rows::Full, { 10, 6 }, choices);
    flow->addWidget(labelled(tr("&Utterances of"), m_chooser->evaluationBox(), choices));
    flow->addWidget(labelled(tr("&Compare with"), m_chooser->otherBox(), choices));
    m_filter->setObjectName(QStringLiteral("utteranceFilter"));
    m_filter->setPlaceholderText(tr("text, /regex/, wer>50, speaker:x, seconds<2, missed"));
    m_filter->setToolTip(UtteranceFilter::help());
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(kLeastFilterWidth);
    m_count->setObjectName(QStringLiteral("utteranceCount"));
    auto* row = new QHBoxLayout;
    row->addWidget(labelled(tr("Fi&lter"), m_filter, controls), 1);
    row->addWidget(m_count);
    column->addWidget(choices);
    column->addLayout(row);
    return controls;
}

void UtterancesPage::buildTable(const Actions& actions)
{
    m_table->setObjectName(QStringLiteral("utterances"));
    m_table->setAccessibleName(tr("Utterances"));
    m_table->setMinimumHeight(kLeastTableHeight);
    m_table->addActions(actions.ofRow);
    setUpUtteranceTable(*m_table, *m_model);
}

void UtterancesPage::connectParts()
{
    connect(m_chooser, &EvaluationChooser::changed, this, &UtterancesPage::onChosen);
    connect(m_filter, &QLineEdit::textChanged, this, &UtterancesPage::applyFilter);
    // From where it is typed to what it shows.
    connect(m_filter, &QLineEdit::returnPressed, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_model, &UtteranceModel::shown, this, &UtterancesPage::onShown);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &UtterancesPage::onCurrentChanged);
    connect(m_table, &QAbstractItemView::activated, this, &UtterancesPage::togglePlaying);
}

void UtterancesPage::setRuns(const std::vector<UtteranceRun>& runs)
{
    m_hasRun = !runs.empty();
    m_chooser->setRuns(runs);
    refresh();
}

void UtterancesPage::showEvaluation(const std::string& alignmentsFile, const QString& filter)
{
    m_chooser->want(alignmentsFile);
    m_filter->setText(filter);
    refresh();
}

void UtterancesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void UtterancesPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (!event->spontaneous()) // a window that is minimised keeps its page
        m_chooser->forgetKept();
}

/// What could not be read may be there by now.
void UtterancesPage::onChosen()
{
    const UtteranceSetPtr& shown = m_model->utterances();
    if (shown && !(shown->error.isEmpty() && shown->otherError.isEmpty()))
        m_read.reset();
    read();
}

void UtterancesPage::refresh()
{
    m_stack->setCurrentIndex(!m_hasRun ? kWithoutRun
            : m_chooser->isEmpty()     ? kWithoutEvaluation
                                       : kWithUtterances);
    if (!isVisible())
        return;
    m_chooser->keepChosen();
    read();
}

void UtterancesPage::read()
{
    const auto isSame = [](const auto& a, const auto& b) {
        return a.has_value() == b.has_value() && (!a || a->isSame(*b));
    };
    if (isSame(m_chooser->chosen(), m_read) && isSame(m_chooser->other(), m_readOther))
        return;
    m_read = m_chooser->chosen();
    m_readOther = m_chooser->other();
    const int number = ++m_number;
    m_isReading = m_read.has_value();
    if (!m_read)
        return take(nullptr);
    m_count->setText(tr("Reading…"));
    const auto work
        = [wanted = *m_read, with = m_readOther] { return readUtteranceSet(wanted, with); };
    whenDone(QtConcurrent::run(work), this, [this, number](const UtteranceSetPtr& set) {
        if (number == m_number)
            take(set);
    });
}

void UtterancesPage::take(const UtteranceSetPtr& set)
{
    m_isReading = false;
    m_bar->hide();
    if (set && !set->error.isEmpty())
        m_bar->showMessage(Tone::Bad, set->error);
    else if (set && !set->otherError.isEmpty())
        m_bar->showMessage(set->numMatched > 0 ? Tone::Warning : Tone::Bad, set->otherError);
    else if (set && set->isCompared && set->numMatched == 0)
        m_bar->showMessage(Tone::Warning, tr("The other evaluation has none of these utterances."));
    m_model->setUtterances(set);
    showKnownColumns(*m_table, set);
}

void UtterancesPage::applyFilter()
{
    const UtteranceFilter filter(m_filter->text());
    m_filterError = filter.error();
    m_model->setFilter(filter);
}

void UtterancesPage::onShown()
{
    const UtteranceSetPtr& set = m_model->utterances();
    const auto all = set ? static_cast<int>(set->rows.size()) : 0;
    m_count->setText(m_isReading      ? tr("Reading…")
            : m_filterError.isEmpty() ? tr("%1 of %2 shown").arg(m_model->rowCount()).arg(all)
                                      : m_filterError);
    int row = m_model->rowCount() > 0 ? 0 : -1;
    if (set && row == 0) {
        const auto known = std::find_if(set->rows.begin(), set->rows.end(),
            [this](const UtteranceRow& each) { return each.id == m_currentId; });
        if (known != set->rows.end())
            row = std::max(0, m_model->rowOf(static_cast<int>(known - set->rows.begin())));
    }
    if (row < 0)
        return onCurrentChanged();
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->scrollTo(m_table->currentIndex());
}

void UtterancesPage::onCurrentChanged()
{
    if (m_model->isChanging())
        return; // the current row is nobody's choice then
    const int row = m_table->currentIndex().row();
    if (row < 0)
        return m_panel->setUtterance(m_model->utterances(), -1);
    m_currentId = m_model->utteranceAt(row).id;
    m_panel->setUtterance(m_model->utterances(), m_model->shownRows()[static_cast<size_t>(row)]);
}

void UtterancesPage::togglePlaying()
{
    m_panel->togglePlaying();
}

void UtterancesPage::goToNext(int direction)
{
    const int row = m_table->currentIndex().row() + direction;
    if (row >= 0 && row < m_model->rowCount())
        m_table->setCurrentIndex(
            m_model->index(row, std::max(0, m_table->currentIndex().column())));
}

void UtterancesPage::goToFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void UtterancesPage::openExport()
{
    openExportDialog(*this, { tr("Table (*.csv)") }, [this](const QString& path, int) -> Export {
        const auto table = [set = m_model->utterances(), shown = m_model->shownRows(),
                               hidden = unknownColumns(m_model->utterances())] {
            return set ? utterancesCsv(*set, shown, hidden) : QByteArray();
        };
        return [path, table] { return bytesExport(path, table())(); };
    });
}

} // namespace earwright::ui
