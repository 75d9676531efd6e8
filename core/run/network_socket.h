#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"

#include <string>

namespace earwright::run {

/// Listens at the first of a host's addresses that is this host's own, and at no other; "" = at all
/// of this host. Port 0 = any. Accepting from it does not block.
Result<Descriptor> listenOn(const std::string& host, int port);
/// A connection to the first of a host's addresses that answers.
Result<Descriptor> connectTo(const std::string& host, int port);
/// At which a socket of this process is.
int portOf(int fd);
/// No waiting for more to send.
void sendAtOnce(int fd);

} // namespace earwright::run
