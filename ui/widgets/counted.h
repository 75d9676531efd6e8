#pragma once

#include <QString>

namespace earwright::ui {

/// "1 error", "3 errors": Qt's plural forms need a translation file even for English.
inline QString counted(qsizetype count, const QString& one, const QString& many)
{
    return (count == 1 ? one : many).arg(count);
}

} // namespace earwright::ui
