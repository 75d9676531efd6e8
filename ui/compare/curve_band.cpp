#include "ui/compare/curve_band.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace earwright::ui {
namespace {

constexpr size_t kPlaces = 96;
constexpr size_t kBlock = 16; ///< places that one line of the cache holds
constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr double kFineEpoch = 1e6; ///< parts of an epoch: a point's step is a whole number

/// The next of 1, 1.25, 1.5, 1.75, 2, 2.5 …: curves that grow seldom change the places.
double roundedUp(double span)
{
    const double power = std::exp2(std::floor(std::log2(span)));
    return power * std::ceil(span / power * 4) / 4;
}

/// Between the two points around a key; NaN where one of them is not finite.
double lineAt(const PlotCurve& curve, XAxis axis, size_t after, double key)
{
    const auto& points = curve.series->points();
    if (after == 0 || after >= points.size())
        return points[after == 0 ? 0 : points.size() - 1].value;
    const run::Point& left = points[after - 1];
    const run::Point& right = points[after];
    const double from = keyOf(left, axis, curve.origin);
    const double span = keyOf(right, axis, curve.origin) - from;
    const double share = span > 0 ? std::clamp((key - from) / span, 0.0, 1.0) : 1;
    return left.value + share * (right.value - left.value);
}

/// Index of the first point at or behind a key.
size_t firstAt(const PlotCurve& curve, XAxis axis, size_t from, double key)
{
    const auto& points = curve.series->points();
    const auto found
        = std::partition_point(points.begin() + static_cast<std::ptrdiff_t>(from), points.end(),
            [&](const run::Point& point) { return keyOf(point, axis, curve.origin) < key; });
    return static_cast<size_t>(found - points.begin());
}

/// A point whose key is `key`, by the origin that `originOf` gives.
run::Point pointAt(double key, XAxis axis, double value)
{
    switch (axis) {
    case XAxis::Step:
        return { std::llround(key), 0, value };
    case XAxis::Epoch:
        return { std::llround(key * kFineEpoch), 0, value };
    case XAxis::RelativeTime:
    case XAxis::WallTime:
        break;
    }
    return { 0, key, value };
}

CurveOrigin originOf(XAxis axis)
{
    return { 0, axis == XAxis::Epoch ? kFineEpoch : 0 };
}

float medianOf(std::vector<float>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle
                                  : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

} // namespace

double CurveBand::placeOf(size_t index) const
{
    return m_lower + (static_cast<double>(index) + 0.5) * m_width;
}

void CurveBand::fitGrid(const std::vector<PlotCurve>& curves, XAxis axis)
{
    double lower = std::numeric_limits<double>::max();
    double upper = std::numeric_limits<double>::lowest();
    for (const PlotCurve& curve : curves) {
        const auto& points = curve.series->points();
        lower = std::min(lower, keyOf(points.front(), axis, curve.origin));
        upper = std::max(upper, keyOf(points.back(), axis, curve.origin));
    }
    const double width = roundedUp(std::max(upper - lower, 1e-6)) / kPlaces;
    if (axis == m_axis && lower == m_lower && width == m_width)
        return;
    m_axis = axis;
    m_lower = lower;
    m_width = width;
    m_sampled.clear();
}

void CurveBand::sample(Sampled& sampled, const PlotCurve& curve) const
{
    sampled = { .series = curve.series, .count = curve.series->points().size() };
    for (auto* values : { &sampled.least, &sampled.middle, &sampled.greatest })
        values->assign(kPlaces, kNoValue);
    const double last = keyOf(curve.series->points().back(), m_axis, curve.origin);
    size_t begin = 0;
    for (size_t place = 0; place < kPlaces && begin < sampled.count; ++place) {
        const double from = m_lower + static_cast<double>(place) * m_width;
        // The last place takes in what stands on its edge.
        const size_t end
            = place + 1 == kPlaces ? sampled.count : firstAt(curve, m_axis, begin, from + m_width);
        const bool isInside = begin > 0 && from <= last; // a line passes through
        if (end == begin && !isInside)
            continue;
        const double key = placeOf(place);
        const auto middle
            = static_cast<float>(lineAt(curve, m_axis, firstAt(curve, m_axis, 0, key), key));
        float least = end == begin ? middle : kNoValue;
        float greatest = least;
        for (const run::Point& point : curve.series->minMax(begin, end, 1)) {
            least = std::fmin(least, static_cast<float>(point.value));
            greatest = std::fmax(greatest, static_cast<float>(point.value));
        }
        if (!std::isfinite(least) || !std::isfinite(greatest)) {
            begin = end;
            continue;
        }
        sampled.least[place] = least;
        sampled.greatest[place] = greatest;
        sampled.middle[place]
            = std::isfinite(middle) ? std::clamp(middle, least, greatest) : (least + greatest) / 2;
        begin = end;
    }
}

void CurveBand::addBlock(Lines& lines, size_t first) const
{
    struct Place {
        float least = kNoValue;
        float greatest = kNoValue;
        std::vector<float> middles {};
    };
    std::array<Place, kBlock> places;
    for (const auto& [name, sampled] : m_sampled) {
        for (size_t i = 0; i < kBlock; ++i) {
            if (std::isnan(sampled.middle[first + i]))
                continue;
            places[i].least = std::fmin(places[i].least, sampled.least[first + i]);
            places[i].greatest = std::fmax(places[i].greatest, sampled.greatest[first + i]);
            places[i].middles.push_back(sampled.middle[first + i]);
        }
    }
    for (size_t i = 0; i < kBlock; ++i) {
        if (places[i].middles.empty())
            continue;
        const auto add = [&](run::Series& line, float value) {
            line.append(pointAt(placeOf(first + i), m_axis, static_cast<double>(value)));
        };
        add(*lines.least, places[i].least);
        add(*lines.greatest, places[i].greatest);
        add(*lines.median, medianOf(places[i].middles));
    }
}

CurveBand::Lines CurveBand::of(const std::vector<PlotCurve>& curves, XAxis axis)
{
    Lines lines { .origin = originOf(axis) };
    if (curves.empty())
        return lines;
    fitGrid(curves, axis);
    ++m_round;
    for (const PlotCurve& curve : curves) {
        Sampled& known = m_sampled[curve.name];
        if (known.series != curve.series || known.count != curve.series->points().size())
            sample(known, curve);
        known.round = m_round;
    }
    std::erase_if(m_sampled, [this](const auto& known) { return known.second.round != m_round; });
    for (size_t first = 0; first < kPlaces; first += kBlock)
        addBlock(lines, first);
    return lines;
}

} // namespace earwright::ui
