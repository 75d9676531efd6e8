#include "ui/widgets/plot_colors.h"

#include <QHash>

#include <algorithm>
#include <array>

namespace kymo::ui {

namespace {

constexpr std::array<QRgb, kColorCount> kColors { 0xff2f7fd6, 0xffd95f0e, 0xff1a9a78, 0xffc2408f,
    0xff8c6bd8, 0xff9a7d0a, 0xff0e93a8, 0xffd64550, 0xff7f7f7f, 0xff6f9a28 };
constexpr std::array<Qt::PenStyle, 4> kDashes { Qt::SolidLine, Qt::DashLine, Qt::DotLine,
    Qt::DashDotLine };

size_t leastUsed(const std::array<int, kColorCount>& uses)
{
    return static_cast<size_t>(std::min_element(uses.begin(), uses.end()) - uses.begin());
}

} // namespace

QColor cycleColor(int index)
{
    return QColor::fromRgb(kColors[static_cast<size_t>(index % kColorCount)]);
}

Qt::PenStyle cycleDash(int index)
{
    return kDashes[static_cast<size_t>(index) % kDashes.size()];
}

QColor runColor(const QString& runPath)
{
    static QHash<QString, int> colorOfPath;
    static std::array<int, kColorCount> uses {};
    if (const auto known = colorOfPath.constFind(runPath); known != colorOfPath.constEnd())
        return cycleColor(*known);
    const size_t index = leastUsed(uses);
    ++uses[index];
    colorOfPath.insert(runPath, static_cast<int>(index));
    return cycleColor(static_cast<int>(index));
}

} // namespace kymo::ui
