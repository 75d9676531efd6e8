#pragma once

#include "core/language/form.h"

#include <QVariant>

namespace earwright::ui {

/// What FormModel answers for a cell of a setting and for a section's heading.
QVariant formRowData(const language::FormRow& row, int column, int role);
QVariant formSectionData(int role);

/// Its path and everything that is known of it, a line each.
QString formRowAbout(const language::FormRow& row);

} // namespace earwright::ui
