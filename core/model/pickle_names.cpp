#include "core/model/pickle_names.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace earwright::model {

namespace {

template <class List>
bool contains(const List& list, std::string_view name)
{
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

} // namespace

bool isStorage(std::string_view name)
{
    constexpr std::string_view kTypes[]
        = { "Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool" };
    return std::any_of(std::begin(kTypes), std::end(kTypes), [&](std::string_view type) {
        return name == std::string(kTorch) + std::string(type) + "Storage";
    });
}

bool isOtherTensor(std::string_view name)
{
    return (name.starts_with(kTorch) && name.ends_with("Storage"))
        || name == "torch._utils._rebuild_tensor_v3"
        || name == "torch._tensor._rebuild_from_type_v2";
}

bool isDtype(std::string_view name)
{
    constexpr std::string_view kTypes[] = { "float32", "float64", "float16", "bfloat16", "int64",
        "int32", "int16", "int8", "uint8", "bool" };
    return name.starts_with(kTorch) && contains(kTypes, name.substr(kTorch.size()));
}

bool isSet(std::string_view name)
{
    // The second two as protocol 2 has them.
    constexpr std::string_view kSets[]
        = { "builtins.set", "builtins.frozenset", "__builtin__.set", "__builtin__.frozenset" };
    return contains(kSets, name);
}

bool isParameter(std::string_view name)
{
    constexpr std::string_view kParameters[]
        = { "torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state" };
    return contains(kParameters, name);
}

bool isCallable(std::string_view name)
{
    return name == kOrderedDict || name == kCounter || name == kSize || name == kTensor
        || isParameter(name) || isSet(name);
}

} // namespace earwright::model
