#include "core/run/control.h"

#include "core/base/clock.h"
#include "core/run/unix_socket.h"

#include <algorithm>
#include <chrono>
#include <poll.h>
#include <sys/socket.h>

namespace earwright::run {
namespace {

Error problem(const std::string& socketPath, const std::string& why)
{
    return Error { "cannot talk to the run's supervisor at '" + socketPath + "': " + why };
}

int millisecondsUntil(Clock::time_point deadline)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::max<int64_t>(0, left.count()));
}

/// Waits until the socket can be read or written; false at the deadline.
bool waitFor(int fd, short events, Clock::time_point deadline)
{
    pollfd entry { fd, events, 0 };
    for (;;) {
        const int ready = ::poll(&entry, 1, millisecondsUntil(deadline));
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
    }
}

/// connect() of a local socket blocks only while the server's backlog is full: the send timeout
/// bounds that.
bool connectWithin(int fd, const sockaddr_un& address, int timeoutMs)
{
    const timeval timeout { timeoutMs / 1000, (timeoutMs % 1000) * 1000 };
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
    return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

/// Empty where all went out.
std::string sendAll(int fd, std::string_view bytes, Clock::time_point deadline)
{
    while (!bytes.empty()) {
        if (!waitFor(fd, POLLOUT, deadline))
            return "it does not take the request";
        const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0)
            bytes.remove_prefix(static_cast<size_t>(count));
        else if (errno != EAGAIN && errno != EINTR)
            return systemError();
    }
    return {};
}

} // namespace

Result<std::string> sendControl(
    const std::string& socketPath, const std::string& jsonRequest, int timeoutMs)
{
    const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(timeoutMs);
    const Result<sockaddr_un> address = unixAddress(socketPath);
    if (!address)
        return address.error();
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket || !connectWithin(socket.fd(), *address, timeoutMs))
        return problem(socketPath, systemError());
    if (const std::string why = sendAll(socket.fd(), jsonRequest + "\n", deadline); !why.empty())
        return problem(socketPath, why);
    std::string answer;
    while (waitFor(socket.fd(), POLLIN, deadline)) {
        char bytes[4096];
        const ssize_t count = ::recv(socket.fd(), bytes, sizeof(bytes), MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (count <= 0)
            return problem(socketPath, count == 0 ? "it left without an answer" : systemError());
        answer.append(bytes, static_cast<size_t>(count));
        if (const size_t end = answer.find('\n'); end != std::string::npos)
            return answer.substr(0, end);
    }
    return problem(socketPath, "no answer within " + std::to_string(timeoutMs) + " ms");
}

} // namespace earwright::run
