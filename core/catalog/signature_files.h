#pragma once

#include <span>
#include <string_view>

namespace earwright::catalog {

/// A file of resources/catalog, compiled into the library. Its lines are sorted by name; what they
/// hold is told in packaging/signatures/__main__.py.
struct SignatureFile {
    std::string_view name; ///< "speechbrain"
    std::string_view text;
};

std::span<const SignatureFile> signatureFiles();

} // namespace earwright::catalog
