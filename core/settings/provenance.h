#pragma once

#include "core/recipe/node.h"

#include <string>

namespace earwright::settings {

/// Where the effective value of a run option came from and who reads it. `earwright plan`, the plan
/// file and the window show it.
struct Provenance {
    std::string key; ///< "find_unused_parameters"
    std::string value;
    std::string source; ///< "default", "inferred", "recipe", "include", "override", "option"
    /// "ctc.yaml:12" or "--precision=bf16"; of an inferred value, the reason; "" of a default
    std::string place;
    std::string consumer; ///< "c10d::Reducer"
};

/// Where a value stands, for people: "ctc.yaml:12" or "--precision=bf16"; of an inferred value, the
/// reason; "" of a default.
Provenance provenanceOf(
    std::string key, std::string value, const recipe::Node* node, std::string consumer);

} // namespace earwright::settings
