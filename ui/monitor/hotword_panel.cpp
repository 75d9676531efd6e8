#include "ui/monitor/hotword_panel.h"

#include "ui/monitor/hotword_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_sort.h"
#include "ui/widgets/figure_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

namespace earwright::ui {

namespace {

enum Page { NotEvaluated, NoList, Counted };

/// A line of all hotwords, and one of those in no training text where they were spoken or heard.
QString summaryOf(const HotwordTable& table)
{
    const QString all = hotwordText(table.figures(Phrases::All));
    const QString unseen = hotwordText(table.figures(Phrases::Unseen));
    const QString said
        = HotwordPanel::tr("%1, epoch %2: %3")
              .arg(table.split, QString::number(table.epoch),
                  all.isEmpty() ? HotwordPanel::tr("none of the hotwords was spoken or heard")
                                : all);
    return unseen.isEmpty()
        ? said
        : said + QLatin1Char('\n') + HotwordPanel::tr("In no training text: %1").arg(unseen);
}

} // namespace

HotwordPanel::HotwordPanel(QWidget* parent)
    : QStackedWidget(parent)
    , m_model(new HotwordModel(this))
    , m_summary(new QLabel(this))
{
    const QString icon = QStringLiteral("edit-find");
    addWidget(new EmptyState({ .iconName = icon,
        .title = tr("No validation yet"),
        .hint = tr("Where the recipe lists hotwords, this tells how each was heard in the latest "
                   "validation or test."),
        .actions = {} }));
    addWidget(new EmptyState({ .iconName = icon,
        .title = tr("No hotwords counted"),
        .hint = tr("With \"hotword: words.txt\" in the recipe, a file of one phrase a line, every "
                   "validation and test counts how these phrases are heard."),
        .actions = {} }));
    addWidget(buildReport());
}

QWidget* HotwordPanel::buildReport()
{
    auto* report = new QWidget(this);
    auto* column = new QVBoxLayout(report);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_summary->setObjectName(QStringLiteral("hotwordSummary"));
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(4, 6, 4, 0);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* sorted = new FigureSort(this);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(HotwordModel::SortRole);
    auto* table = new FigureTable(report);
    table->setObjectName(QStringLiteral("hotwordTable"));
    table->setAccessibleName(tr("Hotwords, one by one"));
    table->setModel(sorted);
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder);
    table->horizontalHeader()->setSortIndicatorClearable(true); // back to the list's order
    table->setToolTip(tr("Double click or Enter: the utterances that miss a hotword"));
    connect(table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT missesWanted(index.siblingAtColumn(HotwordModel::Phrase).data().toString());
    });
    column->addWidget(m_summary);
    column->addWidget(table, 1);
    return report;
}

void HotwordPanel::setTable(const HotwordTablePtr& table, bool isEvaluated)
{
    if (table && table != m_model->table())
        m_summary->setText(table->error.isEmpty() ? summaryOf(*table) : table->error);
    m_model->setTable(table);
    setCurrentIndex(table ? Counted : isEvaluated ? NoList : NotEvaluated);
}

const HotwordTablePtr& HotwordPanel::table() const
{
    return m_model->table();
}

} // namespace earwright::ui
