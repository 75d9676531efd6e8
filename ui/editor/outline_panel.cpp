#include "ui/editor/outline_panel.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace earwright::ui {

OutlinePanel::OutlinePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new OutlineModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_filter(new QLineEdit(this))
    , m_view(new QTreeView(this))
{
    build();
    const auto jump = [this](const QModelIndex& index) {
        Q_EMIT activated(index.data(OutlineModel::PositionRole).value<recipe::Position>());
    };
    connect(m_view, &QTreeView::activated, this, jump);
    connect(m_view, &QTreeView::clicked, this, jump);
    connect(m_filter, &QLineEdit::textChanged, this, &OutlinePanel::onFilter);
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &OutlinePanel::rememberOpen);
    connect(m_filtered, &QAbstractItemModel::modelReset, this, &OutlinePanel::restoreOpen);
    m_filter->installEventFilter(this);
}

void OutlinePanel::build()
{
    m_filter->setObjectName(QStringLiteral("outlineFilter"));
    m_filter->setPlaceholderText(tr("Filter the keys"));
    m_filter->setAccessibleName(tr("Filter the keys"));
    m_filter->setClearButtonEnabled(true);
    m_filtered->setSourceModel(m_model);
    m_filtered->setRecursiveFilteringEnabled(true);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setObjectName(QStringLiteral("outlineView"));
    m_view->setAccessibleName(tr("Outline of the recipe"));
    m_view->setModel(m_filtered);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setIndentation(14);
    m_view->setHeaderHidden(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->header()->setSectionResizeMode(OutlineModel::Name, QHeaderView::Interactive);
    m_view->header()->resizeSection(OutlineModel::Name, 150);
    m_view->header()->setStretchLastSection(false); // it would never get narrower than it began
    m_view->header()->setSectionResizeMode(OutlineModel::Detail, QHeaderView::Stretch);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filter);
    column->addWidget(m_view, 1);
    setFocusProxy(m_filter);
}

void OutlinePanel::setSymbols(const SymbolsPtr& symbols)
{
    m_model->setSymbols(symbols ? symbols : std::make_shared<std::vector<language::Symbol>>());
    followCaret(m_caret);
}

void OutlinePanel::followCaret(recipe::Position caret)
{
    m_caret = caret;
    if (!isVisible())
        return;
    const QModelIndex index = m_filtered->mapFromSource(m_model->indexAt(caret));
    if (!index.isValid() || index == m_view->currentIndex())
        return;
    m_view->setCurrentIndex(index); // opens what is above it
    m_view->scrollTo(index);
}

void OutlinePanel::takeFocus()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void OutlinePanel::onFilter(const QString& text)
{
    m_filtered->setFilterFixedString(text);
    if (text.isEmpty())
        return followCaret(m_caret);
    m_view->expandAll();
    m_view->setCurrentIndex(m_filtered->index(0, 0));
}

void OutlinePanel::rememberOpen()
{
    m_open.clear();
    const auto visit = [this](const QModelIndex& above, auto&& self) -> void {
        for (int row = 0; row < m_filtered->rowCount(above); ++row) {
            const QModelIndex index = m_filtered->index(row, 0, above);
            if (!m_view->isExpanded(index))
                continue;
            m_open << index.data(OutlineModel::PathRole).toString();
            self(index, self);
        }
    };
    visit({}, visit);
}

void OutlinePanel::restoreOpen()
{
    const auto visit = [this](const QModelIndex& above, auto&& self) -> void {
        for (int row = 0; row < m_filtered->rowCount(above); ++row) {
            const QModelIndex index = m_filtered->index(row, 0, above);
            if (!m_open.contains(index.data(OutlineModel::PathRole).toString()))
                continue;
            m_view->expand(index);
            self(index, self);
        }
    };
    if (!m_open.isEmpty())
        visit({}, visit);
}

bool OutlinePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up) {
        m_view->setFocus();
        return true;
    }
    if (key->key() == Qt::Key_Return && m_view->currentIndex().isValid()) {
        Q_EMIT m_view->activated(m_view->currentIndex());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace earwright::ui
