#pragma once

#include "core/language/form.h"

#include <QVariant>

namespace earwright::ui {

/// What FormModel answers for a cell of a setting and for a section's heading.
QVariant formRowData(const language::FormRow& row, int column, int role);
QVariant formSectionData(int role);

} // namespace earwright::ui
