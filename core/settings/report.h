#pragma once

#include "core/recipe/diagnostic.h"

#include <string>
#include <utility>
#include <vector>

namespace earwright::settings {

using Diagnostics = std::vector<recipe::Diagnostic>;

inline recipe::Diagnostic& report(Diagnostics& found, recipe::Severity severity, std::string rule,
    std::string message, recipe::Span place)
{
    found.push_back(
        { severity, std::move(rule), std::move(message), std::move(place), std::nullopt, {} });
    return found.back();
}

} // namespace earwright::settings
