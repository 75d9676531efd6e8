#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::recipe {

/// 1-based; column counts code points. {0, 0} = nowhere.
struct Position {
    int line = 0;
    int column = 0;
    auto operator<=>(const Position&) const = default;
};

/// Half open: `end` is the position after the last character.
struct Span {
    std::string file;
    Position begin;
    Position end;
};

/// Where the value of a node came from, weakest first: the order is the precedence.
enum class Origin { Default, Recipe, Include, Override, Option };

enum class Kind { Scalar, Sequence, Mapping };
enum class ScalarStyle { Plain, Quoted, Block };

struct Node;
/// Two keys holding the same pointer are one object (a YAML alias, a pure `!ref <a>`).
using NodePtr = std::shared_ptr<Node>;

struct Entry {
    NodePtr key;
    NodePtr value;
};

/// One node of a recipe, parsed or resolved. A plain value: copying copies one level.
struct Node {
    Kind kind = Kind::Scalar;
    std::string tag; ///< as written: "", "!new:speechbrain.nnet.linear.Linear", "!ref", "!tuple" …
    std::string text; ///< of a scalar
    ScalarStyle style = ScalarStyle::Plain;
    std::vector<NodePtr> items; ///< of a sequence
    std::vector<Entry> entries; ///< of a mapping, in the file's order
    Span span;
    Origin origin = Origin::Recipe;
    std::string originText; ///< the override as typed ("--precision=bf16"), the include's file …
};

NodePtr makeScalar(std::string text, Origin origin = Origin::Recipe);
NodePtr deepCopy(const Node& node);

/// The mapping without its keys that begin with "__", as upstream hands it to a script. Values are
/// shared.
NodePtr withoutHiddenKeys(const Node& root);

/// Value of a key of a mapping, or null.
NodePtr find(const Node& mapping, std::string_view key);
/// The value at a dotted path from a mapping ("dynamic_batch_sampler.max_batch_len"), or null.
NodePtr findPath(const Node& root, std::string_view dottedPath);

/// The part after "!new:" / "!name:" / "!apply:" …; "" where the tag is another one.
std::string_view newClass(const Node& node); ///< "!new:X" -> "X"
std::string_view nameClass(const Node& node); ///< "!name:X" -> "X"
std::string_view applyClass(const Node& node); ///< "!apply:X" -> "X"

/// YAML 1.2 core schema of an untagged plain scalar. Quoted and block scalars are strings.
enum class ScalarType { Null, Bool, Int, Float, String };
ScalarType scalarType(const Node& node);
bool isNull(const Node& node);
std::optional<bool> asBool(const Node& node);
std::optional<int64_t> asInt(const Node& node); ///< 0o17, 0x1F, 0b11, 16_000 too
std::optional<double> asDouble(const Node& node); ///< an int is a double too; .inf, .nan
std::string asString(const Node& node); ///< the scalar's text

} // namespace earwright::recipe
