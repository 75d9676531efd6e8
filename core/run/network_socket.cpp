#include "core/run/network_socket.h"

#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace earwright::run {

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> addressesOf(const char* host, int port, int flags)
{
    addrinfo wanted {};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = flags;
    addrinfo* found = nullptr;
    const int problem = ::getaddrinfo(host, std::to_string(port).c_str(), &wanted, &found);
    if (problem != 0)
        return Error { ::gai_strerror(problem) };
    return Addresses(found, &::freeaddrinfo);
}

Descriptor listenAtOne(const addrinfo& address)
{
    Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int reuse = 1;
    const bool listens = socket
        && ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)) == 0
        && ::bind(socket.fd(), address.ai_addr, address.ai_addrlen) == 0
        && ::listen(socket.fd(), SOMAXCONN) == 0;
    return listens ? std::move(socket) : Descriptor();
}

} // namespace

Result<Descriptor> listenOn(const std::string& host, int port)
{
    const Result<Addresses> found
        = addressesOf(host.empty() ? nullptr : host.c_str(), port, AI_PASSIVE);
    if (!found)
        return found.error();
    std::string reason;
    for (const addrinfo* entry = found->get(); entry; entry = entry->ai_next) {
        if (Descriptor socket = listenAtOne(*entry))
            return socket;
        reason = systemError();
    }
    return Error { reason };
}

Result<Descriptor> connectTo(const std::string& host, int port)
{
    const Result<Addresses> found = addressesOf(host.c_str(), port, 0);
    if (!found)
        return found.error();
    std::string reason;
    for (const addrinfo* entry = found->get(); entry; entry = entry->ai_next) {
        Descriptor socket(::socket(entry->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (socket && ::connect(socket.fd(), entry->ai_addr, entry->ai_addrlen) == 0) {
            sendAtOnce(socket.fd());
            return socket;
        }
        reason = systemError();
    }
    return Error { reason };
}

int portOf(int fd)
{
    sockaddr_storage address {};
    socklen_t size = sizeof(address);
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6
            ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
            : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void sendAtOnce(int fd)
{
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

} // namespace earwright::run
