#include "core/base/json_fields.h"
#include "core/run/control.h"
#include "core/run/unix_socket.h"

#include <atomic>
#include <cstdlib>
#include <list>
#include <poll.h>
#include <random>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace earwright::run {
namespace {

constexpr size_t kMaxLineBytes = 1u << 20;
constexpr size_t kMaxClients = 64;

struct Client {
    Descriptor socket;
    std::string received; ///< up to one line's end
    std::string toSend;
    bool isGone = false;
};

/// Only this user's processes may command a run, wherever the socket lies.
bool isSameUser(int fd)
{
    ucred peer {};
    socklen_t size = sizeof(peer);
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == ::geteuid() || peer.uid == 0);
}

/// An exception would end the process: this thread has no other fence.
std::string answered(const ControlServer::Handler& handler, const std::string& request)
{
    try {
        return handler(request);
    } catch (const std::exception& problem) {
        JsonWriter writer;
        writer("ok", false);
        writer("error", std::string(problem.what()));
        return writer.text();
    }
}

void receive(Client& client, const ControlServer::Handler& handler)
{
    char bytes[4096];
    const ssize_t count = ::recv(client.socket.fd(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        client.isGone = true;
        return;
    }
    client.received.append(bytes, static_cast<size_t>(count));
    for (size_t end; (end = client.received.find('\n')) != std::string::npos;) {
        client.toSend += answered(handler, client.received.substr(0, end)) + "\n";
        client.received.erase(0, end + 1);
    }
    client.isGone = client.received.size() > kMaxLineBytes;
}

void send(Client& client)
{
    const ssize_t count = ::send(client.socket.fd(), client.toSend.data(), client.toSend.size(),
        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0)
        client.toSend.erase(0, static_cast<size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
        client.isGone = true;
}

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

/// The mode of a socket that is not bound yet becomes its file's mode: at no time may others
/// connect.
Result<Descriptor> listenAt(const std::string& path)
{
    const Result<sockaddr_un> address = unixAddress(path);
    if (!address)
        return address.error();
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::fchmod(socket.fd(), S_IRUSR | S_IWUSR) != 0
        || ::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0
        || ::listen(socket.fd(), 16) != 0)
        return Error { "cannot open the control socket '" + path + "': " + systemError() };
    return socket;
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

struct ControlServer::State {
    // Constant after construction.
    Handler handler;
    Descriptor listener;
    Descriptor end; ///< an eventfd: readable when the server is to stop

    // The server's thread only.
    std::list<Client> clients;

    std::thread thread; ///< last: it uses all of the above

    void run();
    std::vector<pollfd> watched() const;
    void accept();
};

std::vector<pollfd> ControlServer::State::watched() const
{
    std::vector<pollfd> entries;
    entries.push_back({ end.fd(), POLLIN, 0 });
    entries.push_back({ clients.size() < kMaxClients ? listener.fd() : -1, POLLIN, 0 });
    for (const Client& client : clients) {
        const bool isWaiting = !client.toSend.empty(); // it reads its answers before it may ask on
        entries.push_back(
            { client.socket.fd(), static_cast<short>(isWaiting ? POLLOUT : POLLIN), 0 });
    }
    return entries;
}

void ControlServer::State::run()
{
    for (;;) {
        std::vector<pollfd> entries = watched();
        if (::poll(entries.data(), entries.size(), -1) < 0)
            continue; // EINTR
        if (entries[0].revents != 0)
            return;
        auto entry = entries.begin() + 2;
        for (Client& client : clients) {
            const short ready = (entry++)->revents;
            if (ready & POLLOUT)
                send(client);
            else if (ready & POLLIN)
                receive(client, handler);
            else if (ready & (POLLHUP | POLLERR))
                client.isGone = true;
        }
        clients.remove_if([](const Client& client) { return client.isGone; });
        if (entries[1].revents & POLLIN)
            accept();
    }
}

void ControlServer::State::accept()
{
    Descriptor socket(::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket && isSameUser(socket.fd()))
        clients.push_back({ std::move(socket), {}, {} });
}

ControlServer::ControlServer(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
    m_state->thread = std::thread([s = m_state.get()] { s->run(); });
}

Result<std::unique_ptr<ControlServer>> ControlServer::listen(Handler handler)
{
    std::string path = freshSocketPath();
    Result<Descriptor> listener = listenAt(path);
    if (!listener)
        return listener.error();
    auto state = std::make_unique<State>();
    state->handler = std::move(handler);
    state->listener = std::move(*listener);
    state->end = Descriptor(::eventfd(0, EFD_CLOEXEC));
    if (!state->end)
        return Error { "cannot open the control socket: " + systemError() };
    std::unique_ptr<ControlServer> server(new ControlServer(std::move(state)));
    server->m_path = std::move(path);
    return server;
}

ControlServer::~ControlServer()
{
    ::unlink(m_path.c_str());
    ::eventfd_write(m_state->end.fd(), 1);
    m_state->thread.join();
}

} // namespace earwright::run
