#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kymo::catalog {

/// What is known of an argument besides its type and its default, which the member itself tells.
struct FieldFacts {
    const char* unit = "";
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices = {};
    const char* help = "";
    bool required = false;
};

enum class FieldType { Int, Float, Bool, String, IntList, Node };

/// One argument of a class as the form, the completion list and the checks see it.
struct Field {
    std::string name;
    FieldType type = FieldType::Node;
    bool nullable = false;
    std::string defaultText;
    FieldFacts facts;
};

/// Members a config may have: int64_t, double, bool, std::string, std::vector<int64_t>, std::optional of these, and
/// recipe::NodePtr for an argument that is itself an object (null = not given).

} // namespace kymo::catalog
