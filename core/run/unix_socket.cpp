#include "core/run/unix_socket.h"

#include <atomic>
#include <cstdlib>
#include <random>
#include <sys/socket.h>
#include <sys/stat.h>

namespace earwright::run {

namespace {

/// $XDG_RUNTIME_DIR where that leaves room for the name, else /tmp.
std::string freshSocketPath()
{
    static std::atomic<int> count = 0;
    const std::string name = "/earwright-" + std::to_string(::getpid()) + "-"
        + std::to_string(++count) + "-" + std::to_string(std::random_device {}()) + ".sock";
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    const std::string path = (folder ? folder : "") + name;
    return folder && *folder == '/' && ::access(folder, W_OK) == 0 && unixAddress(path)
        ? path
        : "/tmp" + name;
}

} // namespace

Result<sockaddr_un> unixAddress(const std::string& path)
{
    sockaddr_un address {};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path))
        return Error { "'" + path + "' cannot be a socket's path: it must have 1 to 107 bytes" };
    path.copy(address.sun_path, path.size());
    return address;
}

bool isOfThisUser(int fd)
{
    ucred peer {};
    socklen_t size = sizeof(peer);
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == ::geteuid() || peer.uid == 0);
}

PrivateListener::PrivateListener(Descriptor socket, std::string path)
    : m_socket(std::move(socket))
    , m_path(std::move(path))
{
}

PrivateListener::~PrivateListener()
{
    if (m_socket) // not moved from
        ::unlink(m_path.c_str());
}

/// The mode of a socket that is not bound yet becomes its file's mode: at no time may others
/// connect.
Result<PrivateListener> PrivateListener::open()
{
    std::string path = freshSocketPath();
    const Result<sockaddr_un> address = unixAddress(path);
    if (!address)
        return address.error();
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::fchmod(socket.fd(), S_IRUSR | S_IWUSR) != 0
        || ::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0
        || ::listen(socket.fd(), SOMAXCONN) != 0)
        return Error { "cannot open the socket '" + path + "': " + systemError() };
    return PrivateListener(std::move(socket), std::move(path));
}

} // namespace earwright::run
