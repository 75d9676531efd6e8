#include "ui/compare/compare_columns.h"

#include "ui/runs/run_state.h"
#include "ui/widgets/plot_ticks.h"

#include <QCoreApplication>

#include <cmath>

namespace earwright::ui {

QString twoDecimals(double value)
{
    return std::isfinite(value) ? QString::number(value, 'f', 2) : valueText(value);
}

namespace {

QString fourDecimals(double value)
{
    return std::isfinite(value) ? QString::number(value, 'f', 4) : valueText(value);
}

QString wholeNumber(double value)
{
    return QString::number(value, 'f', 0);
}

template <auto Member>
std::optional<double> figure(const RunFigures& figures)
{
    return figures.*Member;
}

template <auto Member>
QString words(const RunFigures& figures)
{
    return figures.*Member;
}

template <auto Member>
CompareColumn interval(const char* title)
{
    return { title,
        QT_TRANSLATE_NOOP(
            "CompareModel", "Confidence interval, by bootstrap over the test's utterances"),
        nullptr, words<Member>, nullptr, Delta::None, 0, true };
}

QString proved(const RunFigures& figures)
{
    return figures.proof.share ? QStringLiteral("%1 %2 %")
                                     .arg(figures.proof.dtype)
                                     .arg(100 * *figures.proof.share, 0, 'f', 0)
                               : QString();
}

QString stateOf(const RunFigures& figures)
{
    return stateText(figures.state);
}

std::vector<CompareColumn> scoreColumns()
{
    using F = RunFigures;
    return {
        { QT_TRANSLATE_NOOP("CompareModel", "What differs"),
            QT_TRANSLATE_NOOP("CompareModel", "Overrides that not all of these runs have"), nullptr,
            words<&F::differs>, nullptr, Delta::None, 0, true },
        { QT_TRANSLATE_NOOP("CompareModel", "State"), "", nullptr, stateOf, nullptr },
        { QT_TRANSLATE_NOOP("CompareModel", "Precision"),
            QT_TRANSLATE_NOOP("CompareModel", "Training precision → evaluation precision"), nullptr,
            words<&F::precision>, nullptr },
        { QT_TRANSLATE_NOOP("CompareModel", "it/s"),
            QT_TRANSLATE_NOOP(
                "CompareModel", "Median of the latest 1000 logged points; × the baseline"),
            figure<&F::itPerSecond>, nullptr, twoDecimals, Delta::Ratio, +1 },
        { QT_TRANSLATE_NOOP("CompareModel", "Train loss"),
            QT_TRANSLATE_NOOP("CompareModel", "Of the latest logged step"), figure<&F::trainLoss>,
            nullptr, fourDecimals, Delta::Difference, -1 },
        { QT_TRANSLATE_NOOP("CompareModel", "Valid loss"),
            QT_TRANSLATE_NOOP("CompareModel", "Of the latest validation"), figure<&F::validLoss>,
            nullptr, fourDecimals, Delta::Difference, -1 },
        { QT_TRANSLATE_NOOP("CompareModel", "Valid WER %"),
            QT_TRANSLATE_NOOP("CompareModel", "Of the best checkpoint's validation"),
            figure<&F::validWer>, nullptr, twoDecimals, Delta::Difference, -1 },
        { QT_TRANSLATE_NOOP("CompareModel", "Valid CER %"),
            QT_TRANSLATE_NOOP("CompareModel", "Of the best checkpoint's validation"),
            figure<&F::validCer>, nullptr, twoDecimals, Delta::Difference, -1 },
        { QT_TRANSLATE_NOOP("CompareModel", "Test WER %"), "", figure<&F::testWer>, nullptr,
            twoDecimals, Delta::Difference, -1 },
        interval<&F::testWerInterval>(QT_TRANSLATE_NOOP("CompareModel", "Test WER 95 %\ninterval")),
        { QT_TRANSLATE_NOOP("CompareModel", "Test CER %"), "", figure<&F::testCer>, nullptr,
            twoDecimals, Delta::Difference, -1 },
        interval<&F::testCerInterval>(QT_TRANSLATE_NOOP("CompareModel", "Test CER 95 %\ninterval")),
    };
}

std::vector<CompareColumn> machineColumns()
{
    using F = RunFigures;
    return {
        { QT_TRANSLATE_NOOP("CompareModel", "Proved dtype"),
            QT_TRANSLATE_NOOP("CompareModel",
                "Share of matrix-multiply work that ran in the dtype of this precision"),
            nullptr, proved, nullptr },
        { QT_TRANSLATE_NOOP("CompareModel", "Devices"), "", nullptr, words<&F::devices>, nullptr },
        { QT_TRANSLATE_NOOP("CompareModel", "Steps"), "", figure<&F::steps>, nullptr, wholeNumber },
        { QT_TRANSLATE_NOOP("CompareModel", "Peak memory"),
            QT_TRANSLATE_NOOP("CompareModel", "Greatest allocated memory of rank 0"),
            figure<&F::peakMemory>, nullptr, bytesText, Delta::Ratio, -1 },
    };
}

} // namespace

const std::vector<CompareColumn>& compareColumns()
{
    static const std::vector<CompareColumn> kColumns = [] {
        std::vector<CompareColumn> columns = scoreColumns();
        for (const auto& more : { hotwordColumns(), machineColumns() })
            columns.insert(columns.end(), more.begin(), more.end());
        return columns;
    }();
    return kColumns;
}

QString deltaText(
    const CompareColumn& column, std::optional<double> value, std::optional<double> baseline)
{
    if (!value || !baseline || !std::isfinite(*value) || !std::isfinite(*baseline)
        || column.delta == Delta::None)
        return {};
    if (column.delta == Delta::Ratio)
        return *baseline > 0 ? QStringLiteral("%1×").arg(*value / *baseline, 0, 'f', 2) : QString();
    const double difference = *value - *baseline;
    return QChar(difference < 0 ? 0x2212 : u'+') + column.format(std::abs(difference));
}

} // namespace earwright::ui
