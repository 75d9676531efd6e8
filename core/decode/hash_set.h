#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace earwright::decode {

/// A set of numbers that are hashes already, none of them 0: asked for every candidate of every
/// frame.
class HashSet final {
public:
    /// False where it was there already.
    bool insert(uint64_t value)
    {
        if (2 * (m_count + 1) > m_slots.size())
            grow();
        uint64_t& slot = m_slots[find(value)];
        const bool isNew = slot == 0;
        m_count += isNew ? 1 : 0;
        slot = value;
        return isNew;
    }
    /// The memory stays.
    void clear()
    {
        std::fill(m_slots.begin(), m_slots.end(), 0);
        m_count = 0;
    }
    bool contains(uint64_t value) const { return m_count > 0 && m_slots[find(value)] == value; }
    size_t size() const { return m_count; }

private:
    size_t find(uint64_t value) const
    {
        size_t slot = value & (m_slots.size() - 1);
        while (m_slots[slot] != 0 && m_slots[slot] != value)
            slot = (slot + 1) & (m_slots.size() - 1);
        return slot;
    }
    void grow()
    {
        std::vector<uint64_t> old(m_slots.empty() ? 64 : 2 * m_slots.size());
        old.swap(m_slots);
        for (const uint64_t value : old) {
            if (value != 0)
                m_slots[find(value)] = value;
        }
    }

    std::vector<uint64_t> m_slots; ///< a power of two of them, half of them free at least
    size_t m_count = 0;
};

} // namespace earwright::decode
