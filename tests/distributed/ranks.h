#pragma once

#include "core/distributed/group.h"
#include "core/run/store_server.h"

#include <ATen/Parallel.h>
#include <cstdlib>
#include <exception>
#include <functional>
#include <thread>

namespace earwright::tests {

/// Several ranks of a Gloo group as threads of this process; the store is served here, as a
/// supervisor serves it.
class Ranks {
public:
    explicit Ranks(int size, int perHost = 64)
        : m_size(size)
        , m_perHost(perHost)
        , m_store(distributed::connectToStore(rendezvous(0)))
    {
        // c10d's flight recorder is one for the process, and no two threads may write to it.
        setenv("TORCH_FR_BUFFER_SIZE", "0", 1);
        at::set_num_threads(1); // more threads than cores spin while they wait for each other
    }

    distributed::Rendezvous rendezvous(int rank) const
    {
        return { .rank = rank,
            .localRank = rank % m_perHost,
            .worldSize = m_size,
            .localWorldSize = std::min(m_size, m_perHost),
            .node = std::to_string(rank / m_perHost),
            .storeHost = distributed::StoreHost::Supervisor,
            .store = { .socket = m_server->socketPath(), .host = "127.0.0.1" } };
    }
    const c10::intrusive_ptr<c10d::Store>& store() const { return m_store; }
    void endStore() { m_server.reset(); }

    /// Runs `work` on every rank and waits for all; what a rank threw comes back, "" where nothing.
    std::vector<std::string> run(const std::function<void(distributed::Group&)>& work,
        const distributed::Group::Options& options = {}) const
    {
        std::vector<std::string> thrown(static_cast<size_t>(m_size));
        std::vector<std::thread> threads;
        for (int rank = 0; rank < m_size; ++rank) {
            threads.emplace_back([&, rank] {
                try {
                    distributed::Group group(rendezvous(rank), c10::Device(c10::kCPU),
                        std::make_shared<distributed::Pulse>(), options);
                    work(group);
                } catch (const std::exception& problem) {
                    thrown[static_cast<size_t>(rank)] = problem.what();
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        return thrown;
    }

private:
    int m_size;
    int m_perHost;
    std::unique_ptr<run::StoreServer> m_server = std::move(*run::StoreServer::onThisHost());
    c10::intrusive_ptr<c10d::Store> m_store;
};

} // namespace earwright::tests
