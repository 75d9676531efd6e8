#include "core/distributed/group.h"

#include "core/base/json_fields.h"
#include "core/base/mutation.h"
#include "core/cuda/cuda_library.h"
#include "core/distributed/backends.h"
#include "core/distributed/run_store.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace earwright::distributed {

namespace {

// A collective may be late because a peer reads slow disks; a dead peer is noticed by the watch,
// not by this.
constexpr auto kCollectiveTimeout = std::chrono::minutes(30);

constexpr int64_t kMostTextBytes = int64_t { 1 } << 32; ///< the hypotheses of a very large test

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

/// What a rank tells at a barrier, as answerOf() words it. Another process wrote it.
struct Answer {
    bool ok = false;
    std::string value {};
    bool works = false; ///< it speaks for its host
    std::string node {};
};

Answer answerFrom(const std::string& text, const std::string& barrier)
{
    Answer answer;
    const Status read = readJson(text, [&answer](JsonReader& reader) {
        reader.require("ok", answer.ok);
        reader("value", answer.value);
        reader("works", answer.works);
        reader("node", answer.node);
    });
    if (!read)
        throw std::runtime_error("what a rank tells at the barrier '" + barrier
            + "' cannot be read: " + read.error().message);
    return answer;
}

/// The devices were checked before: a rank that lacks it was started in another surrounding.
const cuda::CudaPart& cudaOfRank()
{
    const cuda::CudaPart* const part = cuda::cudaPart();
    if (!part)
        throw std::runtime_error("this rank finds no GPU: "
            + (cuda::cudaPartFailure().empty() ? "libcuda.so.1, the driver's library, is missing"
                                               : cuda::cudaPartFailure()));
    return *part;
}

/// An error may name a file in whatever bytes its file system has.
std::string toTell(const nlohmann::json& answer)
{
    return answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

c10::intrusive_ptr<c10d::Store> connectToStore(const Rendezvous& rendezvous)
{
    if (rendezvous.storeHost != StoreHost::Torchrun)
        return ofAttempt(c10::make_intrusive<RunStore>(rendezvous.store), rendezvous.restart);
    c10d::TCPStoreOptions options;
    options.port = static_cast<uint16_t>(rendezvous.store.port);
    options.waitWorkers = false;
    options.timeout = std::chrono::minutes(5);
    return ofAttempt(
        c10::make_intrusive<c10d::TCPStore>(rendezvous.store.host, options), rendezvous.restart);
}

c10::intrusive_ptr<c10d::Store> ofAttempt(c10::intrusive_ptr<c10d::Store> store, int restart)
{
    return c10::make_intrusive<c10d::PrefixStore>(
        "attempt_" + std::to_string(restart), std::move(store));
}

Group::Group(const Rendezvous& rendezvous, c10::Device device, std::shared_ptr<Pulse> pulse)
    : Group(rendezvous, device, std::move(pulse), Options {})
{
}

Group::Group(const Rendezvous& rendezvous, c10::Device device, std::shared_ptr<Pulse> pulse,
    const Options& options)
    : m_rendezvous(rendezvous)
    , m_reducesAlone(options.reducesAlone)
    , m_pulse(std::move(pulse))
    , m_store(connectToStore(rendezvous))
    , m_ledger(m_store, rendezvous.rank, rendezvous.worldSize)
{
    const Pulse::Wait wait(*m_pulse, "the meeting of all ranks");
    if (device.is_cuda())
        cudaOfRank().setDevice(device.index());
    const int size = rendezvous.worldSize;
    m_group = c10::make_intrusive<c10d::ProcessGroup>(m_store, rendezvous.rank, size);
    const auto gloo = makeGloo(c10::make_intrusive<c10d::PrefixStore>("gloo", m_store),
        rendezvous.rank, size, rendezvous.store.host, kCollectiveTimeout);
    m_group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo);
    m_group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
    if (device.is_cuda() && !options.usesNccl) {
        m_group->setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::BackendType::GLOO, gloo);
    } else if (device.is_cuda()) {
        m_nccl = cudaOfRank().makeNccl(c10::make_intrusive<c10d::PrefixStore>("nccl", m_store),
            rendezvous.rank, size, kCollectiveTimeout);
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
    if (isAlone())
        return;
    const Pulse::Wait wait(*m_pulse, "an all-reduce");
    std::vector<torch::Tensor> tensors { std::move(tensor) };
    m_group->allreduce(tensors)->wait();
}

void Group::broadcast(torch::Tensor tensor, int64_t root) const
{
    if (isAlone())
        return;
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
    const auto count = length.item<int64_t>();
    if (count < 0 || count > kMostTextBytes)
        throw std::runtime_error("rank " + std::to_string(root) + " announces a text of "
            + std::to_string(count) + " bytes, which is more than a rank may tell");
    torch::Tensor bytes = torch::empty({ count }, torch::kUInt8);
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
    const Answer answer = answerFrom(gatherAt(name, { 0 }).front(), name);
    if (answer.ok)
        return answer.value;
    if (isMain())
        throw std::runtime_error(answer.value);
    throw Echo(answer.value);
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
        const Answer answer = answerFrom(answers[other], name);
        if (!answer.ok)
            throw std::runtime_error("rank " + std::to_string(other) + ": " + answer.value);
        if (answer.works && answer.node == m_rendezvous.node)
            found = answer.value;
    }
    if (!found)
        throw std::runtime_error("no rank of host '" + m_rendezvous.node
            + "' has the local rank 0: start the ranks with "
              "torchrun, srun or mpirun");
    return *found;
}

} // namespace earwright::distributed
