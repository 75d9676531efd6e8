#pragma once

#include <QVariant>

namespace earwright::ui {

/// The head of a figure table's column: texts by QT_TRANSLATE_NOOP in its model's context.
struct ColumnHeader {
    const char* title;
    const char* help = ""; ///< empty = none
    bool isText = false; ///< to the left; figures stand to the right
};

/// What a model's headerData() gives for a column, also to screen readers (titles may be of two
/// lines). Nothing for roles that it has nothing for.
QVariant headerValue(const ColumnHeader& header, int role, const QMetaObject& model);

} // namespace earwright::ui
