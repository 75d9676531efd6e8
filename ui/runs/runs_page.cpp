#include "ui/runs/runs_page.h"

#include "ui/runs/run_list_model.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QtConcurrentRun>
#include <QToolButton>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

constexpr int kRowRoom = 9;
constexpr int kNameWidth = 300;
constexpr int kColumnWidth = 110;
constexpr int kMeasuredRows = 50; ///< for the width of a column

/// "" = written.
QString writeNotesOf(const QStringList& runPaths, const std::function<void(run::RunNotes&)>& edit)
{
    for (const QString& path : runPaths) {
        const run::RunFolder folder { std::filesystem::path(path.toStdU16String()) };
        if (const Status written = run::editNotes(folder, edit); !written)
            return QString::fromStdString(written.error().message);
    }
    return {};
}

} // namespace

RunsPage::RunsPage(const RunListModel& runs, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_model(new RunTableModel(this))
    , m_details(new RunDetailsReader(this))
    , m_filter(new QLineEdit(this))
    , m_archived(new QCheckBox(tr("Archived too"), this))
    , m_columns(new QMenu(this))
    , m_table(new QTableView(this))
    , m_count(new QLabel(this))
    , m_message(new QLabel(this))
    , m_undo(new QPushButton(tr("Undo"), this))
{
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 10);
    column->addWidget(buildBar());
    auto* said = new QHBoxLayout;
    said->addWidget(m_message, 1);
    said->addWidget(m_undo);
    column->addLayout(said);
    column->addWidget(m_table, 1);
    m_message->setObjectName(QStringLiteral("runsMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->hide();
    m_undo->setObjectName(QStringLiteral("undoTrash"));
    m_undo->hide();
    setFocusProxy(m_table);
    connectParts();
    addTableActions();
}

QWidget* RunsPage::buildBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    m_filter->setObjectName(QStringLiteral("runFilter"));
    m_filter->setPlaceholderText(tr("Filter: words, tag:best, optimizer:adam, wer<10, lr<0.1"));
    m_filter->setAccessibleName(tr("Filter of the runs"));
    m_filter->setClearButtonEnabled(true);
    auto* chooser = new QToolButton(bar);
    chooser->setText(tr("Columns"));
    chooser->setPopupMode(QToolButton::InstantPopup);
    chooser->setMenu(m_columns);
    row->addWidget(m_filter, 1);
    row->addWidget(m_count);
    row->addWidget(m_archived);
    row->addWidget(chooser);
    return bar;
}

void RunsPage::buildTable()
{
    m_table->setObjectName(QStringLiteral("runTable"));
    m_table->setAccessibleName(tr("Table of the runs"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    // Rows of one height: thousands are not measured.
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowRoom);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setDefaultSectionSize(kColumnWidth);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setColumnWidth(0, kNameWidth);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void RunsPage::connectParts()
{
    connect(&m_runs, &RunListModel::listed, this, [this] {
        if (isVisible())
            follow();
    });
    connect(m_details, &RunDetailsReader::read, m_model, &RunTableModel::addDetails);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        say(m_model->setFilter(text));
        tellCount();
    });
    connect(m_archived, &QCheckBox::toggled, this, [this](bool areShown) {
        m_model->setArchivedShown(areShown);
        tellCount();
    });
    connect(m_columns, &QMenu::aboutToShow, this, &RunsPage::fillColumns);
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &RunsPage::keepSelection);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RunsPage::restoreSelection);
    connect(m_model, &RunTableModel::notesEdited, this,
        [this](const QString& runPath, const run::RunNotes& notes) {
            write({ runPath }, [notes](run::RunNotes& written) { written = notes; });
        });
    connect(m_undo, &QPushButton::clicked, this, &RunsPage::undoTrash);
    connect(m_table, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        Q_EMIT runActivated(index.data(RunTableModel::PathRole).toString());
    });
}

void RunsPage::addTableActions()
{
    const auto add = [this](const QString& text, const QKeySequence& keys, const auto& act) {
        auto* action = new QAction(text, m_table);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, act);
        m_table->addAction(action);
    };
    add(tr("&Compare"), {}, [this] {
        if (const QStringList runs = selectedRuns(); !runs.isEmpty())
            Q_EMIT compareRequested(runs);
    });
    add(tr("&Edit Name, Tags or Notes"), {}, [this] { m_table->edit(m_table->currentIndex()); });
    add(tr("&Archive"), {}, [this] { archiveSelected(true); });
    add(tr("Take Out of the A&rchive"), {}, [this] { archiveSelected(false); });
    add(tr("Move to &Trash"), QKeySequence::Delete, [this] { trashSelected(); });
}

void RunsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

void RunsPage::follow()
{
    const bool isFirst = m_model->rowCount() == 0;
    m_model->setRuns(m_runs.runs());
    m_details->setRuns(m_runs.runs());
    if (isFirst) // later widths are the user's
        fitColumns();
    tellCount();
}

void RunsPage::fitColumns()
{
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), kNameWidth));
}

void RunsPage::tellCount()
{
    const int shown = m_model->rowCount();
    const int all = shown + m_model->numHidden();
    const QLocale locale;
    m_count->setText(shown == all
            ? tr("%1 runs").arg(locale.toString(all))
            : tr("%1 of %2 runs").arg(locale.toString(shown), locale.toString(all)));
}

void RunsPage::setColumns(const QStringList& ids)
{
    m_model->setColumns(ids.isEmpty() ? fixedColumns() : ids);
    fitColumns();
}

void RunsPage::fillColumns()
{
    m_columns->clear();
    QStringList ids = fixedColumns();
    ids += m_model->possibleColumns();
    for (const QString& id : ids) {
        QAction* action
            = m_columns->addAction(columnTitle(id).replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(m_model->columns().contains(id));
        action->setEnabled(id != fixedColumns().first()); // without it nobody knows what a row is
        connect(action, &QAction::toggled, this, [this, id](bool isShown) {
            QStringList columns = m_model->columns();
            if (isShown)
                columns << id;
            else
                columns.removeAll(id);
            setColumns(columns);
        });
    }
}

QStringList RunsPage::selectedRuns() const
{
    QStringList runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        runs << index.data(RunTableModel::PathRole).toString();
    return runs;
}

void RunsPage::keepSelection()
{
    m_selected = selectedRuns();
    m_current = m_table->currentIndex().data(RunTableModel::PathRole).toString();
}

void RunsPage::restoreSelection()
{
    const QSet<QString> wanted(m_selected.begin(), m_selected.end());
    if (wanted.isEmpty() && m_current.isEmpty())
        return;
    QItemSelection selection;
    QModelIndex current;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        const QString path = index.data(RunTableModel::PathRole).toString();
        if (wanted.contains(path))
            selection.select(index, index);
        if (path == m_current)
            current = index;
    }
    m_table->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    m_table->selectionModel()->select(
        selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void RunsPage::archiveSelected(bool isArchived)
{
    write(selectedRuns(), [isArchived](run::RunNotes& notes) { notes.isArchived = isArchived; });
}

void RunsPage::write(const QStringList& runPaths, const std::function<void(run::RunNotes&)>& edit)
{
    if (runPaths.isEmpty())
        return;
    whenDone(QtConcurrent::run(writeNotesOf, runPaths, edit), this, [this](const QString& error) {
        say(error);
        Q_EMIT runsChanged();
    });
}

void RunsPage::trashSelected()
{
    if (const QStringList runs = selectedRuns(); !runs.isEmpty())
        whenDone(QtConcurrent::run(moveToTrash, runs), this,
            [this](const Trashing& trashing) { onTrashed(trashing); });
}

void RunsPage::onTrashed(const Trashing& trashing)
{
    m_trashed = trashing.done;
    m_undo->setVisible(!m_trashed.empty());
    say(!trashing.error.isEmpty() ? trashing.error
            : m_trashed.size() == 1
            ? tr("'%1' is in the trash.").arg(m_trashed.front().from)
            : tr("%1 runs are in the trash.").arg(QLocale().toString(m_trashed.size())));
    Q_EMIT runsChanged();
}

void RunsPage::undoTrash()
{
    const std::vector<Trashed> trashed = std::exchange(m_trashed, {});
    m_undo->hide();
    whenDone(QtConcurrent::run(takeFromTrash, trashed), this, [this](const QString& error) {
        say(error);
        Q_EMIT runsChanged();
    });
}

void RunsPage::say(const QString& message)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
}

} // namespace earwright::ui
