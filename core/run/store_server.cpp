#include "core/run/store_server.h"

#include "core/base/clock.h"
#include "core/run/network_socket.h"
#include "core/run/store_keys.h"
#include "core/run/store_secret.h"
#include "core/run/unix_socket.h"

#include <fcntl.h>
#include <map>
#include <optional>
#include <set>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>

namespace earwright::run {

namespace {

using Kind = StoreMessage::Kind;

constexpr auto kTick = std::chrono::milliseconds(10);
constexpr auto kProofPatience = std::chrono::seconds(10);
constexpr size_t kMostUnproved = 64;
constexpr size_t kMostProofBytes = 1024;

struct StoreClientState {
    Descriptor socket;
    StoreInbox inbox;
    std::optional<StoreHandshake> handshake {}; ///< until it has proved itself
    std::optional<StoreMessage> waiting {}; ///< a request whose keys are not there yet
    std::optional<Clock::time_point> deadline {}; ///< of its proof, or of what it waits for
    std::string toSend {};
    bool asksToSend = false; ///< the kernel is to say when it can
    bool isGone = false;
};

} // namespace

struct StoreServer::State {
    // Constant after construction
    std::optional<PrivateListener> here {}; ///< the one or the other
    Descriptor network {};
    std::string secret {};
    std::string noPath {};
    Descriptor poll { ::epoll_create1(EPOLL_CLOEXEC) };
    Descriptor end { ::eventfd(0, EFD_CLOEXEC) }; ///< readable when the server is to stop

    // The server's thread only
    Descriptor spare { ::open("/dev/null", O_RDONLY | O_CLOEXEC) }; ///< see refuseOne()
    StoreKeys keys {};
    std::map<int, StoreClientState> clients {}; ///< by descriptor
    std::set<int> waiting {}; ///< those of `clients` that wait for keys
    std::set<std::pair<Clock::time_point, int>> unproved {}; ///< by deadline
    bool hasNewKeys = false;
    Clock::time_point lastTick {};

    std::thread thread {}; ///< last: it uses all of the above

    int listener() const { return here ? here->fd() : network.fd(); }
    bool watch(int fd, uint32_t events, int operation = EPOLL_CTL_ADD) const;
    void run();
    void tick();
    void accept();
    void refuseOne();
    void work(int fd, uint32_t ready);
    void receive(StoreClientState& client);
    void answerAll(StoreClientState& client);
    void answer(StoreClientState& client, StoreMessage request);
    void judge(StoreClientState& client, const StoreMessage& word);
    void reply(StoreClientState& client, const StoreMessage& message) const;
    void sendTo(StoreClientState& client) const;
    void wakeWaiting();
    void forget(int fd);
};

bool StoreServer::State::watch(int fd, uint32_t events, int operation) const
{
    epoll_event event {};
    event.events = events;
    event.data.fd = fd;
    return ::epoll_ctl(poll.fd(), operation, fd, &event) == 0;
}

void StoreServer::State::run()
{
    constexpr int kMostEvents = 64;
    epoll_event events[kMostEvents];
    for (;;) {
        const bool isWaitedFor = !waiting.empty() || !unproved.empty();
        const int count = ::epoll_wait(
            poll.fd(), events, kMostEvents, isWaitedFor ? static_cast<int>(kTick.count()) : -1);
        for (int i = 0; i < count; ++i) {
            const int fd = events[i].data.fd;
            if (fd == end.fd())
                return;
            if (fd == listener())
                accept();
            else
                work(fd, events[i].events);
        }
        while (hasNewKeys)
            wakeWaiting();
        if (isWaitedFor && Clock::now() - lastTick >= kTick)
            tick();
    }
}

/// What has lasted too long.
void StoreServer::State::tick()
{
    lastTick = Clock::now();
    while (!unproved.empty() && unproved.begin()->first < lastTick)
        forget(unproved.begin()->second);
    for (auto next = waiting.begin(); next != waiting.end();) {
        const int fd = *next++;
        StoreClientState& client = clients.at(fd);
        if (!client.deadline || *client.deadline > lastTick)
            continue;
        client.waiting.reset();
        waiting.erase(fd);
        reply(client, { Kind::TimedOut });
        work(fd, 0);
    }
}

void StoreServer::State::accept()
{
    Descriptor socket(::accept4(listener(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket && (errno == EMFILE || errno == ENFILE))
        return refuseOne();
    if (!socket || (here && !isOfThisUser(socket.fd())) || !watch(socket.fd(), EPOLLIN))
        return;
    const int fd = socket.fd();
    StoreClientState client { std::move(socket), StoreInbox(kMostStoreBytes) };
    if (!here) {
        sendAtOnce(fd);
        if (unproved.size() >= kMostUnproved)
            forget(unproved.begin()->second);
        client.inbox.allow(kMostProofBytes);
        client.handshake.emplace(secret);
        client.deadline = Clock::now() + kProofPatience;
        unproved.emplace(*client.deadline, fd);
    }
    clients.emplace(fd, std::move(client));
}

/// Without a descriptor left, whoever knocks would knock for ever and keep this thread busy.
void StoreServer::State::refuseOne()
{
    spare = Descriptor();
    Descriptor(::accept4(listener(), nullptr, nullptr, SOCK_CLOEXEC));
    spare = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void StoreServer::State::work(int fd, uint32_t ready)
{
    const auto found = clients.find(fd);
    if (found == clients.end())
        return; // hung up on since
    StoreClientState& client = found->second;
    if (!client.toSend.empty())
        sendTo(client);
    if (ready & (EPOLLIN | EPOLLHUP | EPOLLERR))
        receive(client);
    answerAll(client);
    const bool asks = !client.toSend.empty();
    if (!client.isGone && asks != client.asksToSend) {
        client.isGone = !watch(fd, asks ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
        client.asksToSend = asks;
    }
    if (client.isGone)
        forget(fd);
}

void StoreServer::State::receive(StoreClientState& client)
{
    char bytes[1 << 16];
    const ssize_t count = ::recv(client.socket.fd(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    client.isGone = count <= 0 || !client.inbox.add({ bytes, static_cast<size_t>(count) });
}

/// It reads its answers before it is answered more.
void StoreServer::State::answerAll(StoreClientState& client)
{
    while (!client.isGone && !client.waiting && client.toSend.empty()) {
        Result<std::optional<StoreMessage>> message = client.inbox.take();
        client.isGone = !message;
        if (!message || !*message)
            return;
        answer(client, std::move(**message));
    }
}

void StoreServer::State::answer(StoreClientState& client, StoreMessage request)
{
    if (client.handshake)
        return judge(client, request);
    const std::optional<StoreMessage> found = keys.answer(request);
    if (found) {
        hasNewKeys = hasNewKeys || (mayAddKeys(request.kind) && !waiting.empty());
        return reply(client, *found);
    }
    const std::chrono::milliseconds patience(*patienceMs(request));
    client.deadline = patience.count() > 0 ? std::optional(Clock::now() + patience) : std::nullopt;
    client.waiting = std::move(request);
    waiting.insert(client.socket.fd());
}

void StoreServer::State::judge(StoreClientState& client, const StoreMessage& word)
{
    if (word.kind == Kind::Hello) {
        const Result<StoreMessage> challenge = client.handshake->challenge(word);
        client.isGone = !challenge;
        return challenge ? reply(client, *challenge) : void();
    }
    if (!client.handshake->isProved(word)) {
        client.isGone = true;
        return reply(client, { Kind::Refused });
    }
    unproved.erase({ *client.deadline, client.socket.fd() });
    client.deadline.reset();
    client.handshake.reset();
    client.inbox.allow(kMostStoreBytes);
    reply(client, { Kind::Done });
}

void StoreServer::State::reply(StoreClientState& client, const StoreMessage& message) const
{
    client.toSend += toWire(message);
    sendTo(client);
}

void StoreServer::State::sendTo(StoreClientState& client) const
{
    const ssize_t count = ::send(client.socket.fd(), client.toSend.data(), client.toSend.size(),
        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0)
        client.toSend.erase(0, static_cast<size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
        client.isGone = true;
}

void StoreServer::State::wakeWaiting()
{
    hasNewKeys = false;
    for (auto next = waiting.begin(); next != waiting.end();) {
        const int fd = *next++;
        StoreClientState& client = clients.at(fd);
        const std::optional<StoreMessage> found = keys.answer(*client.waiting);
        if (!found)
            continue;
        client.waiting.reset();
        waiting.erase(fd);
        reply(client, *found);
        work(fd, 0);
    }
}

void StoreServer::State::forget(int fd)
{
    const auto found = clients.find(fd);
    if (found->second.handshake)
        unproved.erase({ *found->second.deadline, fd });
    waiting.erase(fd);
    clients.erase(found); // which ends the kernel's watch too
}

StoreServer::StoreServer(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
    m_state->thread = std::thread([s = m_state.get()] { s->run(); });
}

Result<std::unique_ptr<StoreServer>> StoreServer::start(std::unique_ptr<State> state)
{
    if (!state->watch(state->listener(), EPOLLIN) || !state->watch(state->end.fd(), EPOLLIN))
        return Error { "the run's store cannot be served: " + systemError() };
    return std::unique_ptr<StoreServer>(new StoreServer(std::move(state)));
}

Result<std::unique_ptr<StoreServer>> StoreServer::onThisHost()
{
    Result<PrivateListener> listener = PrivateListener::open();
    if (!listener)
        return listener.error();
    auto state = std::make_unique<State>();
    state->here.emplace(std::move(*listener));
    return start(std::move(state));
}

Result<std::unique_ptr<StoreServer>> StoreServer::onNetwork(
    const std::string& address, int port, const std::string& secret)
{
    Result<Descriptor> listener = listenOn(address, port);
    if (!listener)
        listener = listenOn("", port);
    if (!listener)
        return Error { "the run's store cannot be served at " + address + ":" + std::to_string(port)
            + ": " + listener.error().message };
    auto state = std::make_unique<State>();
    state->network = std::move(*listener);
    state->secret = secret;
    return start(std::move(state));
}

StoreServer::~StoreServer()
{
    ::eventfd_write(m_state->end.fd(), 1);
    m_state->thread.join();
}

const std::string& StoreServer::socketPath() const
{
    return m_state->here ? m_state->here->path() : m_state->noPath;
}

int StoreServer::port() const
{
    return m_state->here ? 0 : portOf(m_state->network.fd());
}

} // namespace earwright::run
