#pragma once

#include "core/model/pickle.h"

#include <unordered_map>

namespace earwright::model {

/// The bytes, stack, marks and memo of Python's pickle machine. The first failure sticks: what is
/// read after it is of no meaning, and nothing is read past the end.
class PickleStack {
public:
    explicit PickleStack(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    bool hasFailed() const { return !m_error.empty(); }
    Error error() const;
    void fail(const std::string& why);

    std::string_view take(uint64_t count);
    uint64_t number(size_t count); ///< little endian, of 8 bytes at most
    int64_t signedNumber(size_t count); ///< two's complement, of 8 bytes at most
    double bigEndianDouble();
    std::string line(); ///< without its end

    void push(PickleValue value);
    /// Never below the last mark; never null.
    PickleValue* pop();
    PickleValue* top();
    PickleItems pop(size_t count); ///< the first pushed first
    void mark() { m_marks.push_back(m_stack.size()); }
    PickleItems popToMark();

    void put(uint64_t slot); ///< what is on top
    void putNext() { put(m_memo.size()); }
    void get(uint64_t slot);

    /// The one value that is left; null where it is not one.
    const PickleValue* finish();
    std::deque<PickleValue> takeValues() { return std::move(m_values); }

private:
    std::string_view m_bytes;
    size_t m_at = 0;
    std::deque<PickleValue> m_values;
    std::vector<PickleValue*> m_stack;
    std::vector<size_t> m_marks; ///< sizes of the stack
    std::unordered_map<uint64_t, PickleValue*> m_memo;
    PickleValue m_nothing; ///< what is taken from an empty stack
    std::string m_error;
    size_t m_errorAt = 0;
};

} // namespace earwright::model
