// The only file that sees Gloo's headers: LibTorch's wheel leaves them out, Debian's libgloo-dev
// declares the same classes.
#include "core/distributed/backends.h"

#ifndef USE_C10D_GLOO
#define USE_C10D_GLOO
#endif
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <arpa/inet.h>
#include <cstdlib>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace earwright::distributed {

namespace {

/// The address this host has on the way to another one (for itself its own), "" where there is no
/// way. A host may have many, and its name's is often the loopback's, which no other host reaches.
std::string addressTowards(const std::string& host)
{
    addrinfo hints {};
    hints.ai_socktype = SOCK_DGRAM; // connecting sends nothing: it only chooses the route
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), "9", &hints, &found) != 0)
        return {};
    std::string address;
    for (const addrinfo* entry = found; entry && address.empty(); entry = entry->ai_next) {
        const int fd = socket(entry->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        sockaddr_storage mine {};
        socklen_t size = sizeof mine;
        char text[NI_MAXHOST] = "";
        if (fd >= 0 && connect(fd, entry->ai_addr, entry->ai_addrlen) == 0
            && getsockname(fd, reinterpret_cast<sockaddr*>(&mine), &size) == 0
            && getnameinfo(reinterpret_cast<sockaddr*>(&mine), size, text, sizeof text, nullptr, 0,
                   NI_NUMERICHOST)
                == 0)
            address = text;
        if (fd >= 0)
            close(fd);
    }
    freeaddrinfo(found);
    return address;
}

} // namespace

c10::intrusive_ptr<c10d::Backend> makeGloo(const c10::intrusive_ptr<c10d::Store>& store, int rank,
    int size, const std::string& masterAddress, std::chrono::milliseconds timeout)
{
    auto options = c10d::ProcessGroupGloo::Options::create(timeout);
    const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
    const std::string address = addressTowards(masterAddress);
    if (interface)
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
    else if (!address.empty())
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(address));
    else
        options->devices.push_back(c10d::ProcessGroupGloo::createDefaultDevice());
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, options);
}

} // namespace earwright::distributed
