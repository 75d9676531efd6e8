#pragma once

#include <nlohmann/json.hpp>

namespace earwright::lsp {

using Json = nlohmann::json;

} // namespace earwright::lsp
