#pragma once

#include "ui/compare/run_figures.h"

#include <QString>

#include <vector>

namespace earwright::ui {

/// How a figure is set against the baseline's.
enum class Delta { None, Difference, Ratio };

/// One column of the comparison: how to read it off the figures and how to write it.
struct CompareColumn {
    const char* title; ///< context "CompareModel"
    const char* help;
    std::optional<double> (*number)(const RunFigures&); ///< null for a text column
    QString (*text)(const RunFigures&); ///< for a text column
    QString (*format)(double); ///< for a number column
    Delta delta = Delta::None;
    int better = 0; ///< +1: more is better, -1: less is, 0: neither
    bool isHiddenWhenEmpty = false; ///< it is there only where some run has it
    bool isOfHotwords = false; ///< a report has a table of these apart
};

/// All columns after the run's name, in order.
const std::vector<CompareColumn>& compareColumns();

/// Those of them that tell how the hotwords were heard, of all and of those in no training text.
std::vector<CompareColumn> hotwordColumns();

QString twoDecimals(double value); ///< or what it is where it is not finite

/// "−0.42", "+1.00", "1.45×" against the baseline; "" where either is missing or there is no delta.
QString deltaText(
    const CompareColumn& column, std::optional<double> value, std::optional<double> baseline);

} // namespace earwright::ui
