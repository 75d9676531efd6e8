#pragma once

#include <c10/util/intrusive_ptr.h>
#include <chrono>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace earwright::distributed {

/// Gloo over this host's address on the way to the master (the loopback's where that is here), or
/// over the interface that GLOO_SOCKET_IFNAME names.
c10::intrusive_ptr<c10d::Backend> makeGloo(const c10::intrusive_ptr<c10d::Store>& store, int rank,
    int size, const std::string& masterAddress, std::chrono::milliseconds timeout);

} // namespace earwright::distributed
