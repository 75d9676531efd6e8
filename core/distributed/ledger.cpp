#include "core/distributed/ledger.h"

#include "core/base/mutation.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace earwright::distributed {

namespace {

constexpr auto kFirstBarrierPause = std::chrono::milliseconds(1);
constexpr auto kLongestBarrierPause = std::chrono::milliseconds(50);

} // namespace

Ledger::Ledger(c10::intrusive_ptr<c10d::Store> store, int64_t rank, int64_t size)
    : m_store(std::move(store))
    , m_rank(rank)
    , m_size(size)
{
}

std::string Ledger::key(int64_t barrier, int64_t rank, const char* what) const
{
    return "earwright/barrier/" + std::to_string(barrier) + "/" + std::to_string(rank) + "/" + what;
}

void Ledger::arrive(const std::string& name)
{
    m_barrier += 1;
    m_name = name;
    m_came.assign(static_cast<size_t>(m_size), false);
    m_store->set(key(m_barrier, m_rank, "name"), name);
    // All have come to the one before, so nobody reads the one before that any more.
    if (m_barrier >= 2)
        forget(m_barrier - 2);
}

void Ledger::forget(int64_t barrier)
{
    for (const char* what : { "name", "answer" })
        m_store->deleteKey(key(barrier, m_rank, what));
}

void Ledger::tell(const std::string& answer)
{
    m_store->set(key(m_barrier, m_rank, "answer"), answer);
}

/// Whether every rank is here. Throws where one is at another barrier.
bool Ledger::allCame()
{
    for (int64_t rank = 0; rank < m_size; ++rank) {
        const std::string name = key(m_barrier, rank, "name");
        if (m_came[static_cast<size_t>(rank)] || !m_store->check({ name }))
            continue;
        if (m_store->get_to_str(name) != m_name && !isDisabled("barrier-names"))
            refuse();
        m_came[static_cast<size_t>(rank)] = true;
    }
    return isDisabled("barrier-count")
        || std::all_of(m_came.begin(), m_came.end(), [](bool came) { return came; });
}

/// The first to see it words it for all.
void Ledger::refuse()
{
    std::string text = "the ranks are at different barriers:";
    for (int64_t rank = 0; rank < m_size; ++rank) {
        const std::string name = key(m_barrier, rank, "name");
        text += (rank == 0 ? " rank " : ", rank ") + std::to_string(rank)
            + (m_store->check({ name }) ? " at '" + m_store->get_to_str(name) + "'" : " at none");
    }
    text += "; all must come to the same ones in the same order";
    throw std::runtime_error(m_store->compareSet(
        "earwright/barrier/" + std::to_string(m_barrier) + "/refused", std::string(), text));
}

std::vector<std::string> Ledger::gather(const std::vector<int64_t>& tellers)
{
    std::vector<std::string> answers;
    for (int64_t teller : tellers)
        answers.push_back(key(m_barrier, teller, "answer"));
    for (auto pause = kFirstBarrierPause;
         !allCame() || (!answers.empty() && !m_store->check(answers));
         pause = std::min(2 * pause, kLongestBarrierPause))
        std::this_thread::sleep_for(pause);
    for (std::string& answer : answers)
        answer = m_store->get_to_str(answer);
    return answers;
}

} // namespace earwright::distributed
