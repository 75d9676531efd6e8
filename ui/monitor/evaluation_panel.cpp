#include "ui/monitor/evaluation_panel.h"

#include "ui/monitor/evaluation_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/follow_end.h"

#include <QAction>

namespace earwright::ui {

EvaluationPanel::EvaluationPanel(QWidget* parent)
    : QStackedWidget(parent)
    , m_model(new EvaluationModel(this))
    , m_table(new FigureTable(this))
{
    m_table->setObjectName(QStringLiteral("evaluations"));
    m_table->setAccessibleName(tr("Validations and tests of the run"));
    m_table->setModel(m_model);
    using M = EvaluationModel;
    m_table->setHiddenWhenEmpty({ M::Wer, M::WerInterval, M::Cer, M::CerInterval, M::Recall,
        M::Precision, M::F1, M::UnseenRecall, M::UnseenPrecision, M::UnseenF1, M::Checkpoint });
    addWidget(new EmptyState({ .iconName = QStringLiteral("office-chart-bar"),
        .title = tr("No validation yet"),
        .hint = tr("Loss, error rates and how the hotwords were heard appear here after every "
                   "epoch, and the test's at the end."),
        .actions = {} }));
    addWidget(m_table);
    followEnd(m_table->verticalScrollBar());
    auto* open = new QAction(tr("Show the &Utterances"), m_table);
    m_table->addAction(open);
    m_table->setToolTip(tr("Double click or Enter: the utterances of an evaluation"));
    connect(open, &QAction::triggered, this, &EvaluationPanel::askForUtterances);
    connect(m_table, &QAbstractItemView::activated, this, &EvaluationPanel::askForUtterances);
}

void EvaluationPanel::askForUtterances()
{
    const QString file = m_table->currentIndex().data(EvaluationModel::FileRole).toString();
    if (!file.isEmpty())
        Q_EMIT utterancesWanted(file);
}

void EvaluationPanel::setSnapshot(const run::Snapshot& snapshot)
{
    m_model->setSnapshot(snapshot);
    setCurrentIndex(isEmpty() ? 0 : 1);
}

bool EvaluationPanel::isEmpty() const
{
    return m_model->rowCount() == 0;
}

} // namespace earwright::ui
