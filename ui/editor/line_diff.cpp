#include "ui/editor/line_diff.h"

#include <algorithm>
#include <QStringList>

namespace earwright::ui {
namespace {

constexpr int kMaxSteps = 2000; ///< the search takes their square in memory and time

/// Lines of a and b between what they begin and end with alike.
struct Middle {
    const QStringList& a;
    const QStringList& b;
    int head = 0;
    int endA = 0;
    int endB = 0;
};

Middle middleOf(const QStringList& a, const QStringList& b)
{
    Middle m { a, b, 0, static_cast<int>(a.size()), static_cast<int>(b.size()) };
    while (m.head < m.endA && m.head < m.endB && a[m.head] == b[m.head])
        ++m.head;
    while (m.endA > m.head && m.endB > m.head && a[m.endA - 1] == b[m.endB - 1])
        --m.endA, --m.endB;
    return m;
}

/// reached[d][k + d]: how far into a the best path of d changes gets on diagonal k = x - y.
using Reached = std::vector<std::vector<int>>;

int startOn(const std::vector<int>& before, int d, int k)
{
    // `before` holds the diagonals -(d - 1) .. d - 1 in steps of one.
    const int offset = d - 1;
    const bool down = k == -d
        || (k != d
            && before[static_cast<size_t>(k - 1 + offset)]
                < before[static_cast<size_t>(k + 1 + offset)]);
    return down ? before[static_cast<size_t>(k + 1 + offset)]
                : before[static_cast<size_t>(k - 1 + offset)] + 1;
}

/// Whether the end was reached within kMaxSteps.
bool search(const Middle& m, Reached& reached)
{
    const int n = m.endA - m.head;
    const int count = m.endB - m.head;
    for (int d = 0; d <= std::min(n + count, kMaxSteps); ++d) {
        std::vector<int> row(static_cast<size_t>(2 * d + 1), -1);
        for (int k = -d; k <= d; k += 2) {
            int x = d == 0 ? 0 : startOn(reached.back(), d, k);
            while (x < n && x - k < count && x - k >= 0 && m.a[m.head + x] == m.b[m.head + x - k])
                ++x;
            row[static_cast<size_t>(k + d)] = x;
            if (x >= n && x - k >= count) {
                reached.push_back(std::move(row));
                return true;
            }
        }
        reached.push_back(std::move(row));
    }
    return false;
}

void addSame(const Middle& m, int x, int y, std::vector<DiffLine>& lines)
{
    lines.push_back({ m.head + x + 1, m.head + y + 1, m.a[m.head + x] });
}

/// Walks the paths found back from the end.
std::vector<DiffLine> walkBack(const Middle& m, const Reached& reached)
{
    std::vector<DiffLine> lines;
    int x = m.endA - m.head;
    int y = m.endB - m.head;
    for (int d = static_cast<int>(reached.size()) - 1; d > 0; --d) {
        const int start = startOn(reached[static_cast<size_t>(d - 1)], d, x - y);
        const int k = x - y;
        while (x > start)
            --x, --y, addSame(m, x, y, lines);
        const auto& before = reached[static_cast<size_t>(d - 1)];
        const bool down = k == -d
            || (k != d
                && before[static_cast<size_t>(k - 2 + d)] < before[static_cast<size_t>(k + d)]);
        if (down)
            --y, lines.push_back({ 0, m.head + y + 1, m.b[m.head + y] });
        else
            --x, lines.push_back({ m.head + x + 1, 0, m.a[m.head + x] });
    }
    while (x > 0)
        --x, --y, addSame(m, x, y, lines);
    std::reverse(lines.begin(), lines.end());
    return lines;
}

std::vector<DiffLine> replaced(const Middle& m)
{
    std::vector<DiffLine> lines;
    for (int i = m.head; i < m.endA; ++i)
        lines.push_back({ i + 1, 0, m.a[i] });
    for (int i = m.head; i < m.endB; ++i)
        lines.push_back({ 0, i + 1, m.b[i] });
    return lines;
}

} // namespace

std::vector<DiffLine> lineDiff(const QString& left, const QString& right)
{
    const QStringList a = left.split(QLatin1Char('\n'));
    const QStringList b = right.split(QLatin1Char('\n'));
    const Middle m = middleOf(a, b);
    std::vector<DiffLine> lines;
    for (int i = 0; i < m.head; ++i)
        lines.push_back({ i + 1, i + 1, a[i] });
    Reached reached;
    const std::vector<DiffLine> changed = search(m, reached) ? walkBack(m, reached) : replaced(m);
    lines.insert(lines.end(), changed.begin(), changed.end());
    for (int i = m.endA; i < a.size(); ++i)
        lines.push_back({ i + 1, i - m.endA + m.endB + 1, a[i] });
    return lines;
}

} // namespace earwright::ui
