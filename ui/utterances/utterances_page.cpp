#include "ui/utterances/utterances_page.h"

#include "ui/utterances/evaluation_chooser.h"
#include "ui/utterances/manifest_look.h"
#include "ui/utterances/transcript_menu.h"
#include "ui/utterances/utterance_model.h"
#include "ui/utterances/utterance_panel.h"
#include "ui/utterances/utterance_table.h"
#include "ui/utterances/utterance_views.h"
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
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QtConcurrentRun>
#include <QVBoxLayout>

namespace earwright::ui {

namespace {

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
    , m_manifest(new ManifestLook(this))
    , m_transcript(new TranscriptMenu(*m_table, *m_model, this))
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
    m_views = new UtteranceViews(buildUtterances(), content);
    column->addWidget(buildControls());
    column->addWidget(m_bar);
    column->addWidget(m_views, 1);
    return content;
}

QWidget* UtterancesPage::buildUtterances()
{
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(m_panel);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_panel->addToBar(m_transcript);
    m_transcript->menu()->addAction(m_manifest->closeAction());
    return splitter;
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
    row->addWidget(m_views->tabs());
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
    connect(m_filter, &QLineEdit::textEdited, m_views, &UtteranceViews::showUtterances);
    connect(m_views, &UtteranceViews::filterWanted, this, &UtterancesPage::filterBy);
    connect(m_views, &QStackedWidget::currentChanged, this, [this](int view) {
        setFocusProxy(view == 0 ? m_table : m_views->currentWidget()); // where Ctrl+4 leads
    });
    // From where it is typed to what it shows.
    connect(m_filter, &QLineEdit::returnPressed, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_model, &UtteranceModel::shown, this, &UtterancesPage::onShown);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &UtterancesPage::onCurrentChanged);
    connect(m_table, &QAbstractItemView::activated, this, &UtterancesPage::togglePlaying);
    connect(m_manifest, &ManifestLook::reading, this, [this] {
        ++m_number; // what is read of a run comes too late
        m_isReading = true;
        m_count->setText(tr("Reading…"));
        refresh();
    });
    connect(m_manifest, &ManifestLook::read, this, &UtterancesPage::take);
    connect(m_manifest, &ManifestLook::closed, this, [this] {
        m_read.reset();
        take(nullptr);
        refresh();
    });
    connect(m_transcript, &TranscriptMenu::manifestWanted, this, &UtterancesPage::openManifest);
    connect(m_transcript, &TranscriptMenu::amended, this, &UtterancesPage::showSet);
    connect(m_transcript, &TranscriptMenu::said, m_bar, [this](Tone tone, const QString& text) {
        m_bar->showMessage(tone, text, m_manifest->choices());
    });
}

void UtterancesPage::filterBy(const QString& filter)
{
    m_filter->setText(filter);
    m_views->showUtterances();
    m_table->setFocus();
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
    m_views->showUtterances();
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
