#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace earwright::catalog {

/// What is known of an argument besides its type and its default, which the member itself tells.
struct FieldFacts {
    const char* unit = "";
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices = {};
    const char* help = "";
    bool required = false;
    bool isFixed = false; ///< upstream takes other values than the default, Earwright does not
    const char* atMost = ""; ///< the argument that bounds this one: "drop_length_high"
};

/// An argument that does not go with the others: "'drop_start' of DropChunk must be " and `must`.
struct Misfit {
    std::string argument;
    std::string must;
    std::string instead = {}; ///< what would fit; "" = not for others to say
};

enum class FieldType { Int, Float, Bool, String, IntList, FloatList, BoolList, Shape, Node };

/// One argument of a class as the form, the completion list and the checks see it.
struct Field {
    std::string name;
    FieldType type = FieldType::Node;
    bool nullable = false;
    std::string defaultText;
    FieldFacts facts;
    bool isTypeSure = true; ///< false: guessed from the default alone
};

/// An input shape such as [null, null, 80]: nullopt where the size is not known.
using Shape = std::vector<std::optional<int64_t>>;

/// Members a config may have: int64_t, double, bool, std::string, vectors of int64_t, double and
/// bool, Shape, std::optional of these, and recipe::NodePtr for an argument that is itself an
/// object (null = not given; an explicit `null` keeps its node, for which isNull() holds). Lists
/// are read from sequences, tuples "(64, 32)" and a single scalar. A config may have `misfits()
/// const`, a list of Misfit, for what its arguments make together; readConfig() reports them.

} // namespace earwright::catalog
