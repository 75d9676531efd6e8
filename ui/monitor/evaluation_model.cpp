#include "ui/monitor/evaluation_model.h"

#include "ui/monitor/hotword_figures.h"
#include "ui/monitor/run_facts.h"
#include "ui/widgets/column_header.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/theme.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace earwright::ui {

namespace {

constexpr std::array<ColumnHeader, EvaluationModel::ColumnCount> kEvaluationHeaders {
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Evaluation"),
        QT_TRANSLATE_NOOP("EvaluationModel", "The validation, or the test's name"), true },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Checkpoint"),
        QT_TRANSLATE_NOOP("EvaluationModel",
            "The best checkpoint is that of the validation in bold; of a test the one whose "
            "weights were tested"),
        true },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Epoch") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Step") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Loss") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "WER %") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "WER 95 %\ninterval"),
        QT_TRANSLATE_NOOP("EvaluationModel",
            "Confidence interval of the WER, by bootstrap over the test's utterances") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "CER %") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "CER 95 %\ninterval"),
        QT_TRANSLATE_NOOP("EvaluationModel",
            "Confidence interval of the CER, by bootstrap over the test's utterances") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Hotword\nrecall %"),
        QT_TRANSLATE_NOOP(
            "EvaluationModel", "Of the hotwords spoken, the share that was recognised") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Hotword\nprecision %"),
        QT_TRANSLATE_NOOP(
            "EvaluationModel", "Of the hotwords recognised, the share that was spoken") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Hotword\nF1 %"),
        QT_TRANSLATE_NOOP("EvaluationModel", "Harmonic mean of recall and precision") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Unseen\nrecall %"),
        QT_TRANSLATE_NOOP("EvaluationModel", "The recall of hotwords in no training text") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Unseen\nprecision %"),
        QT_TRANSLATE_NOOP("EvaluationModel", "The precision of hotwords in no training text") },
    ColumnHeader { QT_TRANSLATE_NOOP("EvaluationModel", "Unseen\nF1 %"),
        QT_TRANSLATE_NOOP("EvaluationModel", "The F1 of hotwords in no training text") },
};

QString percentCell(std::optional<double> percent)
{
    return percent ? QString::number(*percent, 'f', 2) : kNoFigure;
}

QString lossCell(double loss)
{
    return std::isfinite(loss) ? QString::number(loss, 'f', 4) : valueText(loss);
}

QString intervalCell(
    const run::Snapshot& snapshot, const run::Evaluated& evaluated, const char* rate)
{
    const QString text = intervalText(run::intervalOf(snapshot, evaluated, rate));
    return text.isEmpty() ? kNoFigure : text;
}

QStringList namesOf(const std::vector<std::string>& checkpoints)
{
    QStringList names;
    for (const std::string& name : checkpoints)
        names << QString::fromStdString(name);
    return names;
}

} // namespace

bool EvaluationModel::Row::isOf(const run::Evaluated& evaluated) const
{
    return step == evaluated.step && cells[Split] == QString::fromStdString(evaluated.split);
}

bool EvaluationModel::Row::isSameEvaluation(const Row& other) const
{
    return step == other.step && cells[Split] == other.cells[Split];
}

EvaluationModel::Row EvaluationModel::rowOf(
    const run::Snapshot& snapshot, const run::Evaluated& evaluated)
{
    const HotwordFigures all = hotwordsOf(snapshot, evaluated, Phrases::All);
    const HotwordFigures unseen = hotwordsOf(snapshot, evaluated, Phrases::Unseen);
    const bool areWordsCounted = evaluated.rate != "CER";
    const QStringList tested = namesOf(evaluated.checkpoints);
    return { .cells { QString::fromStdString(evaluated.split),
                 tested.size() > 1 ? tr("mean of %1").arg(tested.size()) : tested.join(QString()),
                 QString::number(evaluated.epoch), QString::number(evaluated.step),
                 lossCell(evaluated.loss), areWordsCounted ? percentCell(evaluated.wer) : kNoFigure,
                 areWordsCounted ? intervalCell(snapshot, evaluated, "WER") : kNoFigure,
                 percentCell(evaluated.cer), intervalCell(snapshot, evaluated, "CER"),
                 percentCell(all.recall), percentCell(all.precision), percentCell(all.f1),
                 percentCell(unseen.recall), percentCell(unseen.precision),
                 percentCell(unseen.f1) },
        .step = evaluated.step,
        .file = QString::fromStdString(evaluated.alignmentsFile),
        .checkpoints = tested.join(QLatin1Char('\n')),
        .isLossFinite = std::isfinite(evaluated.loss) };
}

std::vector<EvaluationModel::Row> EvaluationModel::rowsOf(const run::Snapshot& snapshot)
{
    std::vector<Row> rows;
    for (const run::Evaluated& evaluated : snapshot.evaluations) {
        const auto known = std::find_if(rows.rbegin(), rows.rend(),
            [&](const Row& row) { return row.step < evaluated.step || row.isOf(evaluated); });
        const bool isRepeated = known != rows.rend() && known->isOf(evaluated);
        (isRepeated ? *known : rows.emplace_back()) = rowOf(snapshot, evaluated);
    }
    const auto best = bestValidation(snapshot);
    for (Row& row : rows) {
        row.isBest = best && row.isOf(*best);
        if (row.isBest)
            row.cells[Checkpoint] = tr("best");
    }
    return rows;
}

bool EvaluationModel::isContinuedBy(const std::vector<Row>& rows) const
{
    return rows.size() >= m_rows.size()
        && std::equal(m_rows.begin(), m_rows.end(), rows.begin(),
            [](const Row& a, const Row& b) { return a.isSameEvaluation(b); });
}

void EvaluationModel::setSnapshot(const run::Snapshot& snapshot)
{
    std::vector<Row> rows = rowsOf(snapshot);
    if (rows == m_rows)
        return;
    const int known = rowCount();
    const auto count = static_cast<int>(rows.size());
    const bool isContinued = isContinuedBy(rows);
    if (!isContinued)
        beginResetModel();
    else if (count > known)
        beginInsertRows({}, known, count - 1);
    m_rows = std::move(rows);
    if (!isContinued)
        endResetModel();
    else if (count > known)
        endInsertRows();
    if (isContinued && known > 0) // another may be the best now
        Q_EMIT dataChanged(index(0, 0), index(known - 1, ColumnCount - 1));
}

int EvaluationModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EvaluationModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EvaluationModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::DisplayRole)
        return row.cells[static_cast<size_t>(column)];
    if (role == FileRole)
        return row.file;
    if (role == Qt::TextAlignmentRole)
        return headerData(column, Qt::Horizontal, role);
    if (role == Qt::ToolTipRole && column == Checkpoint)
        return plainTip(row.checkpoints);
    if (role == Qt::ForegroundRole && column == Loss && !row.isLossFinite)
        return toneColor(Tone::Bad, QApplication::palette());
    if (role == Qt::FontRole && row.isBest) {
        QFont bold = QApplication::font();
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant EvaluationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return headerValue(kEvaluationHeaders[static_cast<size_t>(section)], role, staticMetaObject);
}

} // namespace earwright::ui
