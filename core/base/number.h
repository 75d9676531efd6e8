#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>

namespace earwright {

/// The finite number that the whole text spells, as a program writes it whatever the locale: no
/// blanks, no plus sign. Nothing where it spells none, or one that `Number` cannot hold.
template <class Number>
std::optional<Number> parseNumber(std::string_view text)
{
    Number value {};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(value))
            return std::nullopt;
    }
    return value;
}

} // namespace earwright
