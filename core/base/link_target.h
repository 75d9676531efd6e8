#pragma once

#include <filesystem>

namespace earwright {

/// Where a link leads, through others and to a file that is not there yet; the path itself where it
/// is no link. Who gives another file the name `path` would put it in the link's place.
std::filesystem::path linkTarget(std::filesystem::path path);

/// Whether it is there and neither a file nor a folder: a pipe, a device, a socket. Nothing may
/// take its name; what it gets is written into it.
bool isNode(const std::filesystem::path& path);

} // namespace earwright
