#include "ui/runs/sidebar.h"

#include "ui/runs/queue_bar.h"
#include "ui/runs/run_delegate.h"
#include "ui/runs/run_list_model.h"
#include "ui/widgets/cut_delegate.h"
#include "ui/widgets/hinted_view.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_tip.h"

#include <QAction>
#include <QFileInfo>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QListView>
#include <QSplitter>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

constexpr int kPathRole = Qt::UserRole + 1;

QWidget* section(const QString& title, QWidget* content, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* label = new QLabel(title, box);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    label->setContentsMargins(8, 6, 8, 2);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(label);
    column->addWidget(content, 1);
    return box;
}

/// The hint on the list's own ground.
HintedView* hinted(const QString& hint, QListView* list, QWidget* parent)
{
    auto* box = new HintedView(hint, list, parent);
    box->setBackgroundRole(QPalette::Base);
    box->setAutoFillBackground(true);
    return box;
}

} // namespace

Sidebar::Sidebar(QAbstractItemModel* runs, const QList<QAction*>& runActions, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_recipes(new QStandardItemModel(this))
    , m_recipeView(new QListView(this))
    , m_runView(new QListView(this))
    , m_runDelegate(new RunDelegate(m_runView))
    , m_queueBar(new QueueBar(this))
    , m_recipeBox(hinted(tr("No recipe yet. Ctrl+O opens one."), m_recipeView, this))
    , m_runBox(hinted(tr("No runs yet. Open a recipe and press F5 to train it."), m_runView, this))
{
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(buildRecipes());
    splitter->addWidget(buildRuns(runActions));
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({ 150, 500 });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    setMinimumWidth(235);
    onRunsChanged();
}

QWidget* Sidebar::buildRecipes()
{
    m_recipeView->setModel(m_recipes);
    m_recipeView->setObjectName(QStringLiteral("recipeView"));
    m_recipeView->setAccessibleName(tr("Recipes"));
    m_recipeView->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_recipeView->setFrameShape(QFrame::NoFrame);
    // Narrower than the list is at least: a wider one would scroll sideways.
    m_recipeView->setItemDelegate(new CutDelegate(16, m_recipeView));
    m_recipeView->setMinimumHeight(60);
    m_recipeView->setIconSize({ 16, 16 });
    const auto open = [this](const QModelIndex& index) {
        Q_EMIT recipeActivated(index.data(kPathRole).toString());
    };
    connect(m_recipeView, &QListView::clicked, this, open);
    connect(m_recipeView, &QListView::activated, this, open);
    return section(tr("Recipes"), m_recipeBox, this);
}

QWidget* Sidebar::buildRuns(const QList<QAction*>& runActions)
{
    m_runView->setModel(m_runs);
    m_runView->setObjectName(QStringLiteral("runView"));
    m_runView->setAccessibleName(tr("Runs"));
    m_runView->setItemDelegate(m_runDelegate);
    m_runView->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_runView->setUniformItemSizes(true);
    m_runView->setFrameShape(QFrame::NoFrame);
    m_runView->setDragDropMode(QAbstractItemView::DragDrop);
    m_runView->setDefaultDropAction(Qt::MoveAction);
    m_runView->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_runView->addActions(runActions);
    setFocusProxy(m_runView);
    connectRunView();
    connect(m_queueBar, &QueueBar::goOnRequested, this, &Sidebar::queueGoOnRequested);
    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_queueBar);
    column->addWidget(m_runBox, 1);
    return section(tr("Runs"), below, this);
}

void Sidebar::connectRunView()
{
    connect(m_runs, &QAbstractItemModel::rowsInserted, this, &Sidebar::onRunsChanged);
    connect(m_runs, &QAbstractItemModel::rowsRemoved, this, &Sidebar::onRunsChanged);
    connect(m_runs, &QAbstractItemModel::modelReset, this, &Sidebar::onRunsChanged);
    m_runView->viewport()->installEventFilter(this);
    const QItemSelectionModel* selection = m_runView->selectionModel();
    connect(selection, &QItemSelectionModel::currentChanged, this, &Sidebar::onSelectionChanged);
    connect(selection, &QItemSelectionModel::selectionChanged, this, &Sidebar::onSelectionChanged);
    connect(selection, &QItemSelectionModel::selectionChanged, this, &Sidebar::selectedRunsChanged);
    const auto activate = [this](const QModelIndex& index) {
        Q_EMIT runActivated(index.data(RunListModel::PathRole).toString());
    };
    connect(m_runView, &QListView::clicked, this, [this, activate](const QModelIndex& index) {
        if (m_runView->selectionModel()->isSelected(index)) // Ctrl may have taken it out
            activate(index);
    });
    connect(m_runView, &QListView::activated, this, [this, activate](const QModelIndex& index) {
        if (!m_runView->selectionModel()->isSelected(index))
            selectOnly(index);
        activate(index);
    });
}

void Sidebar::setHindrance(const QueueHindrance& hindrance)
{
    m_queueBar->setHindrance(hindrance);
}

void Sidebar::setRecipes(const QStringList& open, const QStringList& recent)
{
    m_recipes->clear();
    for (const QString& path : open)
        addRecipe(path, true);
    for (const QString& path : recent)
        if (!open.contains(path))
            addRecipe(path, false);
    m_recipeBox->setEmpty(m_recipes->rowCount() == 0);
}

QSize Sidebar::sizeHint() const
{
    return { 270, 600 };
}

void Sidebar::addRecipe(const QString& path, bool isOpen)
{
    auto* item
        = new QStandardItem(icon(QStringLiteral("document-edit")), QFileInfo(path).fileName());
    item->setData(path, kPathRole);
    item->setToolTip(plainTip(path));
    if (!isOpen)
        item->setForeground(palette().color(QPalette::PlaceholderText));
    m_recipes->appendRow(item);
}

void Sidebar::setCurrentRecipe(const QString& path)
{
    for (int row = 0; row < m_recipes->rowCount(); ++row)
        if (m_recipes->item(row)->data(kPathRole).toString() == path)
            m_recipeView->setCurrentIndex(m_recipes->index(row, 0));
}

void Sidebar::selectRun(const QString& runPath)
{
    m_wantedRun.clear();
    if (runPath == m_currentRun) // also while the click that made it so is still at work
        return;
    m_wantedRun = runPath;
    if (!indexOf(runPath).isValid()) {
        m_currentRun.clear();
        m_runView->clearSelection();
    }
    onRunsChanged();
}

void Sidebar::onRunsChanged()
{
    m_runBox->setEmpty(m_runs->rowCount() == 0);
    if (m_wantedRun.isEmpty())
        return keepSelection();
    const QModelIndex found = indexOf(m_wantedRun);
    if (!found.isValid())
        return;
    m_wantedRun.clear();
    selectOnly(found);
}

/// Ctrl and an arrow, or the focus coming in, make a run the view's current one without selecting
/// it: the one shown stays, and commands go to it.
void Sidebar::onSelectionChanged()
{
    const QItemSelectionModel* selection = m_runView->selectionModel();
    const QModelIndex current = m_runView->currentIndex();
    if (selection->isSelected(current))
        return setCurrentRun(current.data(RunListModel::PathRole).toString());
    const QStringList selected = selectedRuns();
    if (selected.isEmpty()) // once the click is done with, and whatever leaves the list has left
        QMetaObject::invokeMethod(this, &Sidebar::keepSelection, Qt::QueuedConnection);
    else if (!selected.contains(m_currentRun))
        setCurrentRun(selected.first());
}

void Sidebar::setCurrentRun(const QString& runPath)
{
    if (runPath == m_currentRun)
        return;
    m_currentRun = runPath;
    m_runDelegate->setShownRun(runPath);
    m_runView->viewport()->update();
    Q_EMIT currentRunChanged(runPath);
}

void Sidebar::selectOnly(const QModelIndex& run)
{
    // Not the view's own way, which adds to the selection while Ctrl is held.
    m_runView->selectionModel()->setCurrentIndex(run, QItemSelectionModel::ClearAndSelect);
}

/// A click below the runs, or with Ctrl on the only selected one, leaves none selected: the one
/// shown is selected again, though not before the button is up: the click would be one on a
/// selected run. Where it has left the list, its neighbour takes its place.
void Sidebar::keepSelection()
{
    if (m_currentRun.isEmpty() || m_runView->selectionModel()->hasSelection())
        return;
    const QModelIndex shown = indexOf(m_currentRun);
    if (shown.isValid() && QGuiApplication::mouseButtons() != Qt::NoButton)
        return;
    if (const QModelIndex run = shown.isValid() ? shown : m_runView->currentIndex(); run.isValid())
        selectOnly(run);
    else
        setCurrentRun({});
}

bool Sidebar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonRelease) // keepSelection() may have waited for it
        QMetaObject::invokeMethod(this, &Sidebar::keepSelection, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

QModelIndex Sidebar::indexOf(const QString& runPath) const
{
    return m_runs->match(m_runs->index(0, 0), RunListModel::PathRole, runPath, 1, Qt::MatchExactly)
        .value(0);
}

QStringList Sidebar::selectedRuns() const
{
    QStringList paths;
    for (const QModelIndex& index : m_runView->selectionModel()->selectedIndexes())
        if (index.column() == m_runView->modelColumn()) // Ctrl+A selects all columns
            paths << index.data(RunListModel::PathRole).toString();
    return paths;
}

} // namespace earwright::ui
