#include "ui/editor/problems_panel.h"

#include "ui/editor/diagnostics_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace kymo::ui {

ProblemsPanel::ProblemsPanel(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_view(new QTreeView(this))
    , m_hint(new QLabel(this))
{
    m_view->setObjectName(QStringLiteral("problemsView"));
    m_view->setAccessibleName(tr("Problems of the recipe"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->header()->setStretchLastSection(false);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_stack->addWidget(m_hint);
    m_stack->addWidget(m_view);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    connect(m_view, &QTreeView::activated, this,
        [this](const QModelIndex& index) { Q_EMIT problemActivated(index.row()); });
    connect(m_view, &QTreeView::clicked, this,
        [this](const QModelIndex& index) { Q_EMIT problemActivated(index.row()); });
    showListOrHint();
}

void ProblemsPanel::setModel(DiagnosticsModel* model)
{
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    m_view->setModel(model);
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
    const bool hasRows = m_model && m_model->rowCount() > 0;
    m_hint->setText(m_model ? tr("No problems: this recipe is ready to train.")
                            : tr("Open a recipe to see what is wrong with it."));
    m_stack->setCurrentIndex(hasRows ? 1 : 0);
}

} // namespace kymo::ui
