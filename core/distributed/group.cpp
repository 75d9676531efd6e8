#include "core/distributed/group.h"

#include "core/base/descriptor.h"
#include "core/base/mutation.h"
#include "core/distributed/backends.h"

#include <arpa/inet.h>
#include <c10/cuda/CUDAFunctions.h>
#include <netdb.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sys/socket.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace earwright::distributed {

namespace {

// A collective may be late because a peer reads slow disks; a dead peer is noticed by the watch,
// not by this.
constexpr auto kCollectiveTimeout = std::chrono::minutes(30);

/// What the work returned, or its exception, to be told to other ranks.
nlohmann::json answerOf(const std::function<std::string()>& work)
{
    try {
        const std::string value = work();
        return { { "ok", true }, { "value", isDisabled("result-broadcast") ? "" : value } };
    } catch (const c10::Error& problem) {
        return { { "ok", false }, { "value", problem.what_without_backtrace() } };
    } catch (const std::exception& problem) {
        return { { "ok", false }, { "value", problem.what() } };
    }
}

/// A store without this listens on every interface. None where the address is not this host's own,
/// as in a container whose host passes its port on.
Descriptor listenAt(const std::string& address, int port)
{
    addrinfo wanted {};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
        return Descriptor();
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    Descriptor socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int reuse = 1;
    const bool listens = socket
        && ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)) == 0
        && ::bind(socket.fd(), found->ai_addr, found->ai_addrlen) == 0
        && ::listen(socket.fd(), SOMAXCONN) == 0;
    return listens ? std::move(socket) : Descriptor();
}

int portOf(const Descriptor& socket)
{
    sockaddr_storage address {};
    socklen_t size = sizeof(address);
    if (::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6
            ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
            : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

/// An error may name a file in whatever bytes its file system has.
std::string toTell(const nlohmann::json& answer)
{
    return answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

c10::intrusive_ptr<c10d::Store> makeStore(
    const std::string& address, int port, bool serve, int* boundPort)
{
    c10d::TCPStoreOptions options;
    Descriptor listener;
    if (serve)
        listener = listenAt(address, port);
    options.port = static_cast<uint16_t>(listener ? portOf(listener) : port);
    options.isServer = serve;
    if (listener)
        options.masterListenFd = listener.release();
    options.waitWorkers = false;
    options.timeout = std::chrono::minutes(5);
    auto store = c10::make_intrusive<c10d::TCPStore>(address, options);
    if (boundPort)
        *boundPort = store->getPort();
    return store;
}

c10::intrusive_ptr<c10d::Store> ofAttempt(c10::intrusive_ptr<c10d::Store> store, int restart)
{
    return c10::make_intrusive<c10d::PrefixStore>(
        "attempt_" + std::to_string(restart), std::move(store));
}

Group::Group(const Rendezvous& rendezvous, c10::Device device, std::shared_ptr<Pulse> pulse)
    : m_rendezvous(rendezvous)
    , m_pulse(std::move(pulse))
    , m_store(ofAttempt(
          makeStore(rendezvous.masterAddress, rendezvous.masterPort, false), rendezvous.restart))
    , m_ledger(m_store, rendezvous.rank, rendezvous.worldSize)
{
    const Pulse::Wait wait(*m_pulse, "the meeting of all ranks");
    if (device.is_cuda())
        c10::cuda::set_device(device.index());
    const int size = rendezvous.worldSize;
    m_group = c10::make_intrusive<c10d::ProcessGroup>(m_store, rendezvous.rank, size);
    const auto gloo = makeGloo(c10::make_intrusive<c10d::PrefixStore>("gloo", m_store),
        rendezvous.rank, size, rendezvous.masterAddress, kCollectiveTimeout);
    m_group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo);
    m_group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
    if (device.is_cuda()) {
        m_nccl = makeNccl(c10::make_intrusive<c10d::PrefixStore>("nccl", m_store), rendezvous.rank,
            size, kCollectiveTimeout);
        m_group->setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::BackendType::NCCL, m_nccl);
    }
}

Group::~Group()
{
    if (m_nccl)
        m_nccl->abort(); // a peer that is gone never takes part in a shutdown
}

void Group::leave()
{
    if (m_nccl)
        m_nccl->shutdown();
    m_nccl = nullptr;
}

void Group::allReduceSum(torch::Tensor tensor) const
{
    const Pulse::Wait wait(*m_pulse, "an all-reduce");
    std::vector<torch::Tensor> tensors { std::move(tensor) };
    m_group->allreduce(tensors)->wait();
}

void Group::broadcast(torch::Tensor tensor, int64_t root) const
{
    const Pulse::Wait wait(*m_pulse, "a broadcast");
    c10d::BroadcastOptions options;
    options.rootRank = root;
    std::vector<torch::Tensor> tensors { std::move(tensor) };
    m_group->broadcast(tensors, options)->wait();
}

std::string Group::broadcastText(const std::string& text, int64_t root) const
{
    torch::Tensor length = torch::tensor({ static_cast<int64_t>(text.size()) });
    broadcast(length, root);
    torch::Tensor bytes = torch::empty({ length.item<int64_t>() }, torch::kUInt8);
    if (rank() == root)
        std::copy(text.begin(), text.end(), bytes.data_ptr<uint8_t>());
    if (bytes.numel() > 0)
        broadcast(bytes, root);
    return { reinterpret_cast<const char*>(bytes.data_ptr<uint8_t>()),
        static_cast<size_t>(bytes.numel()) };
}

std::vector<std::string> Group::gatherText(const std::string& text) const
{
    std::vector<std::string> all;
    for (int64_t root = 0; root < size(); ++root)
        all.push_back(broadcastText(text, root));
    return all;
}

std::vector<std::string> Group::gatherAt(
    const std::string& barrier, const std::vector<int64_t>& tellers)
{
    const Pulse::Wait wait(*m_pulse, "the barrier '" + barrier + "'");
    return m_ledger.gather(tellers);
}

void Group::barrier(const std::string& name)
{
    m_ledger.arrive(name);
    gatherAt(name, {});
}

std::string Group::runOnMain(const std::string& name, const std::function<std::string()>& work)
{
    m_ledger.arrive(name);
    if (isMain())
        m_ledger.tell(toTell(answerOf(work)));
    const auto answer = nlohmann::json::parse(gatherAt(name, { 0 }).front());
    const std::string value = answer.at("value");
    if (answer.at("ok").get<bool>())
        return value;
    if (isMain())
        throw std::runtime_error(value);
    throw Echo(value);
}

std::string Group::runOncePerHost(const std::string& name, const std::function<std::string()>& work)
{
    m_ledger.arrive(name);
    nlohmann::json mine { { "ok", true }, { "works", m_rendezvous.localRank == 0 } };
    if (m_rendezvous.localRank == 0)
        mine.update(answerOf(work));
    mine["node"] = m_rendezvous.node;
    m_ledger.tell(toTell(mine));
    std::vector<int64_t> all(static_cast<size_t>(size()));
    std::iota(all.begin(), all.end(), 0);
    std::optional<std::string> found;
    const std::vector<std::string> answers = gatherAt(name, all);
    for (size_t other = 0; other < answers.size(); ++other) {
        const auto answer = nlohmann::json::parse(answers[other]);
        if (!answer.at("ok").get<bool>())
            throw std::runtime_error(
                "rank " + std::to_string(other) + ": " + answer.at("value").get<std::string>());
        if (answer.at("works").get<bool>() && answer.at("node") == m_rendezvous.node)
            found = answer.at("value");
    }
    if (!found)
        throw std::runtime_error("no rank of host '" + m_rendezvous.node
            + "' has the local rank 0: start the ranks with "
              "torchrun, srun or mpirun");
    return *found;
}

} // namespace earwright::distributed
