#pragma once

#include <string>
#include <string_view>

namespace earwright::catalog {

/// Where what is known of a class comes from, for people: the package with its version and the file
/// that defines it, and the paper that it implements where there is one.
std::string sourceOf(std::string_view className);

} // namespace earwright::catalog
