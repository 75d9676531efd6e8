#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"

#include <string>
#include <sys/un.h>

namespace earwright::run {

/// The address of a path. Error where the path is longer than the kernel takes (107 bytes).
Result<sockaddr_un> unixAddress(const std::string& path);

} // namespace earwright::run
