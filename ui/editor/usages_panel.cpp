#include "ui/editor/usages_panel.h"

#include "ui/widgets/cut_delegate.h"
#include "ui/widgets/hinted_view.h"
#include "ui/widgets/plain_tip.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {

bool Usage::operator==(const Usage& other) const
{
    return line == other.line && span.file == other.span.file && span.begin == other.span.begin
        && span.end == other.span.end;
}

void UsagesModel::setUsages(std::vector<Usage> usages)
{
    beginResetModel();
    m_usages = std::move(usages);
    endResetModel();
}

int UsagesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_usages.size());
}

int UsagesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant UsagesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Usage& usage = at(index.row());
    if (role == Qt::FontRole && index.column() == Line)
        return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (role == Qt::ToolTipRole) // of what may be cut
        return plainTip(data(index, Qt::DisplayRole).toString());
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == Line)
        return usage.line.trimmed();
    return QStringLiteral("%1:%2:%3")
        .arg(QFileInfo(QString::fromStdString(usage.span.file)).fileName())
        .arg(usage.span.begin.line)
        .arg(usage.span.begin.column);
}

QVariant UsagesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Place ? tr("Place") : tr("Line");
}

UsagesPanel::UsagesPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new UsagesModel(this))
    , m_title(new QLabel(this))
    , m_view(new QTreeView(this))
{
    m_title->setObjectName(QStringLiteral("usagesTitle"));
    m_title->setContentsMargins(8, 4, 8, 4);
    m_view->setObjectName(QStringLiteral("usagesView"));
    m_view->setAccessibleName(tr("Usages"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(UsagesModel::Place, new CutDelegate(32, m_view));
    m_view->header()->setSectionResizeMode(UsagesModel::Place, QHeaderView::ResizeToContents);
    auto* list = new QWidget(this);
    auto* inner = new QVBoxLayout(list);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    inner->addWidget(m_title);
    inner->addWidget(m_view, 1);
    m_hinted
        = new HintedView(tr("Shift+F12 lists where the key at the caret is used."), list, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_hinted);
    const auto jump
        = [this](const QModelIndex& index) { Q_EMIT activated(m_model->at(index.row()).span); };
    connect(m_view, &QTreeView::activated, this, jump);
    connect(m_view, &QTreeView::clicked, this, jump);
}

void UsagesPanel::refresh(const QString& name, const std::vector<Usage>& usages)
{
    m_title->setText(tr("Places that name %1: %2").arg(name).arg(usages.size()));
    if (usages == m_model->usages())
        return;
    const int row = std::min(m_view->currentIndex().row(), static_cast<int>(usages.size()) - 1);
    m_model->setUsages(usages);
    m_view->setCurrentIndex(m_model->index(row, 0));
}

void UsagesPanel::showUsages(const QString& name, const std::vector<Usage>& usages)
{
    refresh(name, usages);
    m_view->setCurrentIndex(m_model->index(0, 0));
    m_hinted->setEmpty(false);
    m_view->setFocus();
}

} // namespace earwright::ui
