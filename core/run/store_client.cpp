#include "core/run/store_client.h"

#include "core/base/clock.h"
#include "core/run/network_socket.h"
#include "core/run/store_secret.h"
#include "core/run/unix_socket.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <thread>

namespace earwright::run {

namespace {

constexpr auto kConnectPause = std::chrono::milliseconds(100);
/// What listens at the address and says nothing is none of ours.
constexpr time_t kAnswerSeconds = 30;
constexpr const char* kSilent = "what listens there does not answer";
constexpr const char* kClosed = "its server closed the socket";

Result<Descriptor> connectHere(const std::string& path)
{
    const Result<sockaddr_un> address = unixAddress(path);
    if (!address)
        return address.error();
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket
        || ::connect(socket.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address))
            != 0)
        return Error { systemError() };
    if (!isOfThisUser(socket.fd()))
        return Error { "another user serves it" };
    return socket;
}

/// 0 = for ever.
void limitAnswers(const Descriptor& socket, time_t seconds)
{
    const timeval limit { .tv_sec = seconds, .tv_usec = 0 };
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

Error cannotReach(const StoreAddress& address, const std::string& reason)
{
    return { "the run's store at " + address.name() + " cannot be reached: " + reason };
}

} // namespace

std::string StoreAddress::name() const
{
    return socket.empty() ? host + ":" + std::to_string(port) : socket;
}

StoreClient::StoreClient(Descriptor socket)
    : m_socket(std::move(socket))
{
}

Result<StoreClient> StoreClient::connect(
    const StoreAddress& address, std::chrono::milliseconds patience)
{
    if (!address.socket.empty()) {
        Result<Descriptor> socket = connectHere(address.socket);
        return socket ? Result(StoreClient(std::move(*socket)))
                      : cannotReach(address, socket.error().message);
    }
    const Clock::time_point deadline = Clock::now() + patience;
    for (;; std::this_thread::sleep_for(kConnectPause)) {
        Result<Descriptor> socket = connectTo(address.host, address.port);
        const std::string reason = socket ? kClosed : socket.error().message;
        if (socket) {
            StoreClient client(std::move(*socket));
            const Result<bool> isProved = client.prove(address.secret);
            if (!isProved)
                return cannotReach(address, isProved.error().message);
            if (*isProved)
                return client;
        }
        if (Clock::now() > deadline)
            return cannotReach(address, reason);
    }
}

/// False where the server closed the socket meanwhile, as it does when too many knock at once.
Result<bool> StoreClient::prove(const std::string& secret)
{
    limitAnswers(m_socket, kAnswerSeconds);
    const StoreHandshake handshake(secret);
    const Result<StoreMessage> challenge = ask(handshake.hello());
    if (!challenge)
        return challenge.error().message == kSilent ? Result<bool>(challenge.error()) : false;
    const Result<StoreMessage> proof = handshake.proof(*challenge);
    if (!proof)
        return proof.error();
    const Result<StoreMessage> answer = ask(*proof);
    if (!answer)
        return false;
    if (answer->kind != StoreMessage::Kind::Done)
        return Error { "it refuses this rank's proof" };
    limitAnswers(m_socket, 0);
    return true;
}

Status StoreClient::send(const StoreMessage& message)
{
    if (wireBytes(message) > kMostStoreBytes)
        return Error { "a message of " + std::to_string(wireBytes(message))
            + " bytes is too long for the run's store" };
    const std::string wire = toWire(message);
    for (std::string_view rest = wire; !rest.empty();) {
        const ssize_t count = ::send(m_socket.fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            return Error { std::string(kClosed) + ": " + systemError() };
        rest.remove_prefix(static_cast<size_t>(std::max<ssize_t>(count, 0)));
    }
    return Done {};
}

Result<StoreMessage> StoreClient::receive()
{
    for (;;) {
        Result<std::optional<StoreMessage>> message = m_inbox.take();
        if (!message)
            return message.error();
        if (*message)
            return std::move(**message);
        char bytes[1 << 16];
        const ssize_t count = ::recv(m_socket.fd(), bytes, sizeof(bytes), 0);
        if (count == 0)
            return Error { kClosed };
        if (count < 0 && errno == EAGAIN)
            return Error { kSilent };
        if (count < 0 && errno != EINTR)
            return Error { std::string(kClosed) + ": " + systemError() };
        if (count > 0 && !m_inbox.add({ bytes, static_cast<size_t>(count) }))
            return Error { "its server sends what was not asked for" };
    }
}

Result<StoreMessage> StoreClient::ask(const StoreMessage& request)
{
    if (const Status sent = send(request); !sent)
        return sent.error();
    return receive();
}

} // namespace earwright::run
