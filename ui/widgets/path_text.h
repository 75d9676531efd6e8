#pragma once

#include <filesystem>
#include <QString>

namespace earwright::ui {

/// Any name, whatever the locale: std::filesystem's u16string() is what QString holds.
inline QString pathText(const std::filesystem::path& path)
{
    return QString::fromStdU16String(path.u16string());
}

} // namespace earwright::ui
