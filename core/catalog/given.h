#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace earwright::catalog {

struct ClassInfo;

/// A whole number; 0 for anything else and for what is larger than any layer, so that a few sizes
/// can be multiplied.
int64_t sizeOf(const recipe::Node& value);

/// Arguments of a layer by name as upstream would have them: what is given, else the default that
/// the signature documents. For classes that are known by their signature only; the others have a
/// config. Keeps the node: it must outlive this.
class Given final {
public:
    explicit Given(const recipe::Node& layer);

    /// As sizeOf(); 0 where it is neither given nor has a default.
    int64_t integer(std::string_view name) const;
    /// False where it is neither given nor has a default.
    bool flag(std::string_view name) const;
    /// "" for null too.
    std::string text(std::string_view name) const;

private:
    recipe::NodePtr value(std::string_view name) const;

    const recipe::Node& m_layer;
    const ClassInfo* m_info;
};

} // namespace earwright::catalog
