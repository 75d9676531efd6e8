#include "ui/widgets/plot_colors.h"

#include <QHash>

#include <algorithm>
#include <array>

namespace earwright::ui {

namespace {

constexpr std::array<QRgb, kColorCount> kColors { 0xff2f7fd6, 0xffd95f0e, 0xff1a9a78, 0xffc2408f,
    0xff8c6bd8, 0xff9a7d0a, 0xff0e93a8, 0xffd64550, 0xff7f7f7f, 0xff6f9a28 };
constexpr std::array<Qt::PenStyle, 4> kDashes { Qt::SolidLine, Qt::DashLine, Qt::DotLine,
    Qt::DashDotLine };

constexpr qsizetype kMostRemembered = 500;

struct RunColors {
    QHash<QString, int> indexOfPath;
    QStringList paths; ///< in the order in which they came
    std::array<int, kColorCount> uses {};

    int leastUsed() const
    {
        return static_cast<int>(std::min_element(uses.begin(), uses.end()) - uses.begin());
    }
    void add(const QString& path, int index)
    {
        indexOfPath.insert(path, index);
        paths << path;
        ++uses.at(static_cast<size_t>(index));
    }
};

RunColors& known()
{
    static RunColors colors;
    return colors;
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
    if (!known().indexOfPath.contains(runPath))
        known().add(runPath, known().leastUsed());
    return cycleColor(known().indexOfPath.value(runPath));
}

QStringList runColors()
{
    QStringList colors;
    for (const QString& path : known().paths.last(std::min(known().paths.size(), kMostRemembered)))
        colors << QStringLiteral("%1 %2").arg(known().indexOfPath.value(path)).arg(path);
    return colors;
}

void restoreRunColors(const QStringList& colors)
{
    known() = {};
    for (const QString& color : colors) {
        const QString path = color.section(QLatin1Char(' '), 1);
        if (!path.isEmpty() && !known().indexOfPath.contains(path))
            known().add(path,
                std::clamp(color.section(QLatin1Char(' '), 0, 0).toInt(), 0, kColorCount - 1));
    }
}

} // namespace earwright::ui
