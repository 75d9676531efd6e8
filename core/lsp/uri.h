#pragma once

#include <string>

namespace earwright::lsp {

/// "file:///a%20b.yaml" -> "/a b.yaml"; any other URI ("untitled:1") is its own name.
std::string fileOf(const std::string& uri);
/// The way back; what is no absolute path stays as it is.
std::string uriOf(const std::string& file);

} // namespace earwright::lsp
