#include "ui/runs/log_panel.h"

#include "ui/runs/log_model.h"
#include "ui/widgets/combo_box.h"
#include "ui/widgets/follow_end.h"
#include "ui/widgets/hinted_view.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

/// Every line as wide as the widest: one size for all, which a long log needs, and none is cut.
class LineDelegate final : public QStyledItemDelegate {
public:
    LineDelegate(const LogModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int margins = 4 * option.fontMetrics.averageCharWidth();
        return { option.fontMetrics.horizontalAdvance(m_model.widestLine()) + margins,
            QStyledItemDelegate::sizeHint(option, index).height() };
    }

private:
    const LogModel& m_model;
};

} // namespace

LogPanel::LogPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new LogModel(this))
    , m_filter(new LogFilter(this))
    , m_view(new QListView(this))
    , m_hinted(new HintedView({}, m_view, this))
    , m_rank(new ComboBox(this))
    , m_level(new ComboBox(this))
    , m_search(new QLineEdit(this))
{
    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setObjectName(QStringLiteral("logView"));
    m_view->setAccessibleName(tr("Log of the run"));
    m_view->setUniformItemSizes(true);
    m_view->setItemDelegate(new LineDelegate(*m_model, m_view));
    followEnd(m_view->verticalScrollBar());
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_view->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar());
    column->addWidget(m_hinted, 1);
    connectParts();
    clear();
}

QWidget* LogPanel::buildBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 4, 6, 4);
    m_rank->setAccessibleName(tr("Rank"));
    m_level->setAccessibleName(tr("Least level"));
    m_level->addItems(
        { tr("Everything"), tr("Info and above"), tr("Warnings and errors"), tr("Errors") });
    m_search->setPlaceholderText(tr("Search the log"));
    m_search->setAccessibleName(tr("Search the log"));
    m_search->setClearButtonEnabled(true);
    fillRanks(0);
    row->addWidget(m_rank);
    row->addWidget(m_level);
    row->addWidget(m_search, 1);
    return bar;
}

void LogPanel::connectParts()
{
    connect(m_rank, &QComboBox::currentIndexChanged, this,
        [this] { m_filter->setRank(m_rank->currentData().toInt()); });
    connect(m_level, &QComboBox::currentIndexChanged, m_filter, &LogFilter::setLeastLevel);
    connect(m_search, &QLineEdit::textChanged, m_filter, &LogFilter::setText);
    for (QComboBox* box : { m_rank, m_level })
        connect(box, &QComboBox::currentIndexChanged, this, &LogPanel::refreshHint);
    connect(m_search, &QLineEdit::textChanged, this, &LogPanel::refreshHint);
}

void LogPanel::fillRanks(int count)
{
    if (m_rank->count() == count + 2)
        return;
    m_rank->clear();
    m_rank->addItem(tr("All ranks"), -2);
    m_rank->addItem(tr("Supervisor"), -1);
    for (int rank = 0; rank < count; ++rank)
        m_rank->addItem(tr("Rank %1").arg(rank), rank);
}

void LogPanel::setSnapshot(
    const QString& runPath, const std::shared_ptr<const run::Snapshot>& snapshot)
{
    m_model->setSnapshot(runPath, snapshot);
    fillRanks(m_model->rankCount());
    m_hasRun = !runPath.isEmpty();
    refreshHint();
}

void LogPanel::refreshHint()
{
    m_hinted->setHint(!m_hasRun        ? tr("Select or start a run to read what happens in it.")
            : m_model->rowCount() == 0 ? tr("Nothing has happened in this run yet.")
                                       : tr("No line matches."));
    m_hinted->setEmpty(m_filter->rowCount() == 0);
}

void LogPanel::clear()
{
    setSnapshot({}, nullptr);
}

} // namespace earwright::ui
