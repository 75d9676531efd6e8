#pragma once

#include <QString>
#include <vector>

namespace earwright::ui {

/// A line of two texts laid side by side: numbers are 1-based, 0 = not in that text.
struct DiffLine {
    int left = 0;
    int right = 0;
    QString text;
    bool operator==(const DiffLine&) const = default;
};

/// The fewest lines that turn `left` into `right` (Myers 1986), removed before added. Texts that
/// differ in more than a few thousand lines are shown as replaced where they differ most.
std::vector<DiffLine> lineDiff(const QString& left, const QString& right);

} // namespace earwright::ui
