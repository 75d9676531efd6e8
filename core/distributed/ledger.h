#pragma once

#include <c10/util/intrusive_ptr.h>
#include <cstdint>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace earwright::distributed {

/// Who has come to which barrier, kept in the run's store: a rank's n-th barrier meets the n-th of
/// every other rank and of no other, so none can be passed without all, and two of different names
/// never take each other for the same. One thread a rank.
class Ledger final {
public:
    Ledger(c10::intrusive_ptr<c10d::Store> store, int64_t rank, int64_t size);

    /// This rank is at its next barrier. All ranks can read it at once, before any work begins.
    void arrive(const std::string& name);
    /// What this rank has to say at the barrier it has come to.
    void tell(const std::string& answer);
    /// Waits, without a time limit, until all ranks have come to the same barrier and `tellers`
    /// have spoken; their answers, in the order of `tellers`. Throws std::runtime_error with one
    /// text on every rank where some rank is at a barrier of another name: it names both, and who
    /// is where. A rank that died is the watch's to notice.
    std::vector<std::string> gather(const std::vector<int64_t>& tellers);

private:
    std::string key(int64_t barrier, int64_t rank, const char* what) const;
    bool allCame();
    [[noreturn]] void refuse();
    void forget(int64_t barrier);

    c10::intrusive_ptr<c10d::Store> m_store;
    int64_t m_rank;
    int64_t m_size;
    int64_t m_barrier = -1; ///< the number of the one this rank has come to
    std::string m_name;
    std::vector<bool> m_came; ///< by rank: it was seen at this barrier
};

} // namespace earwright::distributed
