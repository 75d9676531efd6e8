#pragma once

#include "core/distributed/ledger.h"
#include "core/distributed/pulse.h"
#include "core/distributed/rendezvous.h"

#include <c10/util/intrusive_ptr.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/types.h>

namespace earwright::distributed {

/// What went wrong on another rank, which says so itself.
class Echo final : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The ranks of a run: NCCL (or Gloo) for CUDA tensors, Gloo for CPU tensors. All ranks call the
/// same functions in the same order, from one thread. Throws c10::Error where a peer is gone.
class Group final {
public:
    struct Options {
        bool usesNccl = true; ///< of CUDA tensors; else Gloo, which lets ranks share a GPU
        bool reducesAlone = false; ///< a group of one goes through the collectives too
    };
    /// Joins; blocks until all ranks are there. The CUDA device is made current first. The store
    /// must be served already. `pulse` tells where this rank waits for others.
    Group(const Rendezvous& rendezvous, c10::Device device, std::shared_ptr<Pulse> pulse,
        const Options& options);
    Group(const Rendezvous& rendezvous, c10::Device device,
        std::shared_ptr<Pulse> pulse = std::make_shared<Pulse>());
    /// Ends without the others where leave() was not called, as after a failure.
    ~Group();
    /// Of a run that ended well: NCCL's communicators are closed together with the others'.
    void leave();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    int64_t rank() const { return m_rendezvous.rank; }
    int64_t size() const { return m_rendezvous.worldSize; }
    bool isMain() const { return rank() == 0; }
    /// There is nobody to reduce with: collectives leave tensors as they are, at once, and NCCL
    /// takes no memory of the GPU.
    bool isAlone() const { return size() == 1 && !m_reducesAlone; }
    const c10::intrusive_ptr<c10d::ProcessGroup>& processGroup() const { return m_group; }
    const c10::intrusive_ptr<c10d::Store>& store() const { return m_store; }
    Pulse& pulse() const { return *m_pulse; }

    void allReduceSum(torch::Tensor tensor) const;
    void broadcast(torch::Tensor tensor, int64_t root = 0) const;
    std::string broadcastText(const std::string& text, int64_t root = 0) const;
    /// Every rank's text, in the order of the ranks.
    std::vector<std::string> gatherText(const std::string& text) const;

    /// Waits until all ranks are here. See Ledger for what it throws.
    void barrier(const std::string& name);
    /// Rank 0 does the work, the others wait for as long as it takes; its result goes to all. An
    /// exception of rank 0 is thrown on every rank with its message, on the others as an Echo
    /// (upstream's run_on_main leaves the peers waiting). All leave it together: it is a barrier of
    /// that name.
    std::string runOnMain(const std::string& name, const std::function<std::string()>& work);
    /// The same on every host: its local rank 0 works, for hosts that share no file system. The
    /// result is this host's; an exception on any host is thrown on every rank and names the rank.
    std::string runOncePerHost(const std::string& name, const std::function<std::string()>& work);

private:
    std::vector<std::string> gatherAt(
        const std::string& barrier, const std::vector<int64_t>& tellers);

    Rendezvous m_rendezvous;
    bool m_reducesAlone;
    std::shared_ptr<Pulse> m_pulse;
    c10::intrusive_ptr<c10d::Store> m_store;
    c10::intrusive_ptr<c10d::ProcessGroup> m_group;
    c10::intrusive_ptr<c10d::Backend> m_nccl; ///< none on the CPU, nor after leave()
    Ledger m_ledger;
};

/// A new connection to the ranks' store, to the part of it that is of this start. Throws c10::Error
/// where it cannot be reached.
c10::intrusive_ptr<c10d::Store> connectToStore(const Rendezvous& rendezvous);

/// The part of a store that is of one start of the ranks: torchrun starts them anew with the same
/// store, in which the first start left its failure.
c10::intrusive_ptr<c10d::Store> ofAttempt(c10::intrusive_ptr<c10d::Store> store, int restart);

} // namespace earwright::distributed
