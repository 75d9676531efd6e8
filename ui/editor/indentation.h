#pragma once

#include <QStringView>

namespace earwright::ui {

/// Spaces of the first indented line of a recipe, 4 where there is none.
int indentationStep(QStringView recipe);

/// Columns at which the text below `line` begins where that line opens a block: "train_conf:",
/// "text: |", and at the top an object ("opt_class: !name:torch.optim.Adam"; further in one without
/// arguments is as frequent). -1 = as far in as the line itself.
int columnsBelow(QStringView line, int step);

} // namespace earwright::ui
