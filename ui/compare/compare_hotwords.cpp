#include "ui/compare/compare_columns.h"

#include <QCoreApplication>

namespace earwright::ui {

namespace {

template <auto Hotwords, auto Member>
std::optional<double> heard(const RunFigures& figures)
{
    return (figures.*Hotwords).*Member;
}

CompareColumn percentColumn(
    const char* title, const char* help, std::optional<double> (*number)(const RunFigures&))
{
    return { .title = title,
        .help = help,
        .number = number,
        .text = nullptr,
        .format = twoDecimals,
        .delta = Delta::Difference,
        .better = +1,
        .isHiddenWhenEmpty = true,
        .isOfHotwords = true };
}

constexpr const char* kRecall
    = QT_TRANSLATE_NOOP("CompareModel", "Of the hotwords spoken, the share that was recognised");
constexpr const char* kPrecision
    = QT_TRANSLATE_NOOP("CompareModel", "Of the hotwords recognised, the share that was spoken");
constexpr const char* kF1
    = QT_TRANSLATE_NOOP("CompareModel", "Harmonic mean of recall and precision");
constexpr const char* kUnseen
    = QT_TRANSLATE_NOOP("CompareModel", "Of hotwords in no training text alone");

} // namespace

std::vector<CompareColumn> hotwordColumns()
{
    using F = RunFigures;
    using H = HotwordFigures;
    return {
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Valid hotword\nrecall %"), kRecall,
            heard<&F::validHotwords, &H::recall>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Valid hotword\nprecision %"), kPrecision,
            heard<&F::validHotwords, &H::precision>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Valid hotword\nF1 %"), kF1,
            heard<&F::validHotwords, &H::f1>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Valid unseen\nrecall %"), kUnseen,
            heard<&F::validUnseen, &H::recall>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Valid unseen\nprecision %"), kUnseen,
            heard<&F::validUnseen, &H::precision>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Valid unseen\nF1 %"), kUnseen,
            heard<&F::validUnseen, &H::f1>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Test hotword\nrecall %"), kRecall,
            heard<&F::testHotwords, &H::recall>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Test hotword\nprecision %"), kPrecision,
            heard<&F::testHotwords, &H::precision>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Test hotword\nF1 %"), kF1,
            heard<&F::testHotwords, &H::f1>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Test unseen\nrecall %"), kUnseen,
            heard<&F::testUnseen, &H::recall>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Test unseen\nprecision %"), kUnseen,
            heard<&F::testUnseen, &H::precision>),
        percentColumn(QT_TRANSLATE_NOOP("CompareModel", "Test unseen\nF1 %"), kUnseen,
            heard<&F::testUnseen, &H::f1>),
    };
}

} // namespace earwright::ui
