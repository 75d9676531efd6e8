#include "ui/editor/problems_panel.h"

#include "ui/editor/diagnostics_model.h"
#include "ui/widgets/cut_delegate.h"
#include "ui/widgets/hinted_view.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace earwright::ui {

ProblemsPanel::ProblemsPanel(QWidget* parent)
    : QWidget(parent)
    , m_sorted(new QSortFilterProxyModel(this))
    , m_view(new QTreeView(this))
    , m_hinted(new HintedView({}, m_view, this))
{
    m_view->setObjectName(QStringLiteral("problemsView"));
    m_view->setAccessibleName(tr("Problems of the recipe"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->header()->setStretchLastSection(false);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(DiagnosticsModel::Place, Qt::AscendingOrder);
    m_sorted->setSortRole(DiagnosticsModel::SortRole);
    m_view->setModel(m_sorted);
    m_view->setItemDelegateForColumn(DiagnosticsModel::Place, new CutDelegate(32, m_view));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_hinted);
    connect(m_view, &QTreeView::activated, this, &ProblemsPanel::activate);
    connect(m_view, &QTreeView::clicked, this, &ProblemsPanel::activate);
    showListOrHint();
}

void ProblemsPanel::activate(const QModelIndex& shown)
{
    Q_EMIT problemActivated(m_sorted->mapToSource(shown).row());
}

void ProblemsPanel::takeFocus()
{
    if (!m_view->currentIndex().isValid())
        m_view->setCurrentIndex(m_sorted->index(0, 0));
    m_view->setFocus();
}

void ProblemsPanel::setModel(DiagnosticsModel* model)
{
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    m_sorted->setSourceModel(model);
    if (model) {
        connect(model, &QAbstractItemModel::modelReset, this, &ProblemsPanel::showListOrHint);
        m_view->header()->setSectionResizeMode(DiagnosticsModel::Message, QHeaderView::Stretch);
        m_view->header()->setSectionResizeMode(
            DiagnosticsModel::Place, QHeaderView::ResizeToContents);
        m_view->header()->setSectionResizeMode(
            DiagnosticsModel::Rule, QHeaderView::ResizeToContents);
    }
    showListOrHint();
}

void ProblemsPanel::showListOrHint()
{
    m_hinted->setHint(!m_model ? tr("Open a recipe to see what is wrong with it.")
            : m_model->isChecked()
            ? tr("No problems in the recipe. Its sounds are opened when it starts.")
            : tr("Not checked yet."));
    m_hinted->setEmpty(m_sorted->rowCount() == 0);
}

} // namespace earwright::ui
