#include "ui/utterances/error_table_panel.h"

#include "ui/utterances/error_table_model.h"
#include "ui/widgets/cut_delegate.h"
#include "ui/widgets/figure_sort.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/when_done.h"

#include <QHeaderView>
#include <QtConcurrentRun>
#include <QVBoxLayout>

namespace earwright::ui {

namespace {

constexpr int kNameLetters = 34;
constexpr int kMeasuredErrorRows = 60; ///< that columns find their widths by

} // namespace

ErrorTablePanel::ErrorTablePanel(const QString& objectName, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_model(new ErrorTableModel(this))
    , m_table(new FigureTable(this))
{
    auto* sorted = new FigureSort(this);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(ErrorTableModel::SortRole);
    m_table->setObjectName(objectName);
    m_table->setAccessibleName(name);
    m_table->setToolTip(tr("Click or Enter: the utterances"));
    for (const int column : { 0, 1 })
        m_table->setItemDelegateForColumn(column, new CutDelegate(kNameLetters, m_table));
    m_table->horizontalHeader()->setResizeContentsPrecision(kMeasuredErrorRows);
    m_table->setModel(sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->horizontalHeader()->setSortIndicatorClearable(true); // back to the first order
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    setFocusProxy(m_table);
    connect(m_table, &QAbstractItemView::clicked, this, &ErrorTablePanel::ask);
    connect(m_table, &QAbstractItemView::activated, this, &ErrorTablePanel::ask);
}

void ErrorTablePanel::setUtterances(const UtteranceSetPtr& set)
{
    m_set = set;
    m_isStale = true;
    refresh();
}

void ErrorTablePanel::setMaker(Maker maker)
{
    m_maker = std::move(maker);
    m_isStale = true;
    refresh();
}

void ErrorTablePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ErrorTablePanel::refresh()
{
    if (!m_isStale || !isVisible())
        return;
    m_isStale = false;
    const int number = ++m_number;
    if (!m_set || !m_maker)
        return m_model->setTable(nullptr);
    const auto make = [set = m_set, maker = m_maker] { return maker(*set); };
    whenDone(QtConcurrent::run(make), this, [this, number](const ErrorTablePtr& table) {
        if (number == m_number)
            m_model->setTable(table);
    });
}

void ErrorTablePanel::ask(const QModelIndex& index)
{
    const QString filter = index.data(ErrorTableModel::FilterRole).toString();
    if (!filter.isEmpty())
        Q_EMIT filterWanted(filter);
}

} // namespace earwright::ui
