#pragma once

#include <QCoreApplication>

namespace kymo::ui {

/// A text of no class's own.
inline QString translated(const char* text)
{
    return QCoreApplication::translate("kymo", text);
}

} // namespace kymo::ui
