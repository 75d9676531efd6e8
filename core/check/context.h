#pragma once

#include "core/catalog/run_options.h"
#include "core/check/check.h"

#include <string>
#include <utility>
#include <vector>

namespace earwright::check {

/// What every rule may look at.
struct Context {
    const Request& request;
    const Machine& machine;
    const recipe::Node& root; ///< resolved, a mapping
    const recipe::NodePtr& written; ///< as parsed, references unresolved; may be null
    const std::vector<std::string>& devices; ///< empty where they cannot be read
    const catalog::RunOptions& options;
};

using Diagnostics = std::vector<recipe::Diagnostic>;
/// Rules only add to the list; their order does not matter.
using Rule = void (*)(const Context&, Diagnostics&);

inline recipe::Diagnostic& report(Diagnostics& found, recipe::Severity severity, std::string rule,
    std::string message, recipe::Span place)
{
    found.push_back(
        { severity, std::move(rule), std::move(message), std::move(place), std::nullopt, {} });
    return found.back();
}

} // namespace earwright::check
