#pragma once

#include <string_view>

namespace earwright::model {

// What a pickle of torch.save may name. None of it is ever called: reading (pickle.h) makes for
// each what it stands for.
constexpr std::string_view kOrderedDict = "collections.OrderedDict";
constexpr std::string_view kCounter = "collections.Counter";
constexpr std::string_view kSize = "torch.Size";
constexpr std::string_view kTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kTorch = "torch.";

bool isStorage(std::string_view name); ///< "torch.FloatStorage"
/// Of a type that no weights have, "torch.ComplexFloatStorage", or with attributes of its own.
bool isOtherTensor(std::string_view name);
bool isDtype(std::string_view name); ///< "torch.float32"
bool isSet(std::string_view name); ///< "builtins.set", "__builtin__.frozenset"
bool isParameter(std::string_view name); ///< "torch._utils._rebuild_parameter"
/// Stands in a call for what it makes.
bool isCallable(std::string_view name);

} // namespace earwright::model
