#include "core/base/json_fields.h"
#include "core/run/control.h"
#include "core/run/unix_socket.h"

#include <list>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
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

} // namespace

struct ControlServer::State {
    // Constant after construction.
    Handler handler;
    PrivateListener listener; ///< of this user's processes, which alone may command a run
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
    if (socket && isOfThisUser(socket.fd()))
        clients.push_back({ std::move(socket), {}, {} });
}

ControlServer::ControlServer(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
    m_state->thread = std::thread([s = m_state.get()] { s->run(); });
}

Result<std::unique_ptr<ControlServer>> ControlServer::listen(Handler handler)
{
    Result<PrivateListener> listener = PrivateListener::open();
    if (!listener)
        return listener.error();
    Descriptor end(::eventfd(0, EFD_CLOEXEC));
    if (!end)
        return Error { "cannot open the control socket: " + systemError() };
    return std::unique_ptr<ControlServer>(new ControlServer(std::make_unique<State>(
        State { std::move(handler), std::move(*listener), std::move(end), {}, {} })));
}

const std::string& ControlServer::socketPath() const
{
    return m_state->listener.path();
}

ControlServer::~ControlServer()
{
    ::eventfd_write(m_state->end.fd(), 1);
    m_state->thread.join();
}

} // namespace earwright::run
