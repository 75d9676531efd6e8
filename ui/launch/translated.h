#pragma once

#include <QCoreApplication>

namespace earwright::ui {

/// A text of no class's own.
inline QString translated(const char* text)
{
    return QCoreApplication::translate("earwright", text);
}

} // namespace earwright::ui
