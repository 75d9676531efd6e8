#pragma once

#include "core/lsp/json.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace earwright::lsp {

/// The text of the next message: "Content-Length: N", other headers, an empty line, N bytes. None
/// at the end of the stream. A header without a usable length is passed over up to its empty line
/// and gives "", which is no JSON: the client is told. At most 64 MiB.
std::optional<std::string> readMessage(std::istream& in);

void writeMessage(std::ostream& out, const Json& message);

} // namespace earwright::lsp
