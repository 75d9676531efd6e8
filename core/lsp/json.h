#pragma once

#include <nlohmann/json.hpp>

namespace kymo::lsp {

using Json = nlohmann::json;

} // namespace kymo::lsp
