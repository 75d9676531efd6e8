#include "core/model/pickle_stack.h"

#include <bit>
#include <cstddef>

namespace earwright::model {

namespace {

/// A Paraformer with its optimizer's state has 50,000.
constexpr size_t kMostValues = 1'000'000;

} // namespace

Error PickleStack::error() const
{
    return Error { "its pickle " + m_error + " (byte " + std::to_string(m_errorAt) + ")" };
}

void PickleStack::fail(const std::string& why)
{
    if (hasFailed())
        return;
    m_error = why;
    m_errorAt = m_at;
}

std::string_view PickleStack::take(uint64_t count)
{
    if (count > m_bytes.size() - m_at) {
        fail("is truncated");
        return {};
    }
    const std::string_view part = m_bytes.substr(m_at, count);
    m_at += count;
    return part;
}

uint64_t PickleStack::number(size_t count)
{
    uint64_t value = 0;
    const std::string_view part = take(count);
    for (size_t i = part.size(); i-- > 0;)
        value = value << 8 | static_cast<uint8_t>(part[i]);
    return value;
}

int64_t PickleStack::signedNumber(size_t count)
{
    if (count == 0)
        return 0;
    const auto shift = static_cast<int>(64 - 8 * count);
    return static_cast<int64_t>(number(count) << shift) >> shift;
}

double PickleStack::bigEndianDouble()
{
    uint64_t bits = 0;
    for (const char byte : take(8))
        bits = bits << 8 | static_cast<uint8_t>(byte);
    return std::bit_cast<double>(bits);
}

std::string PickleStack::line()
{
    const size_t end = m_bytes.find('\n', m_at);
    if (end == std::string_view::npos) {
        fail("is truncated");
        return {};
    }
    const std::string_view withEnd = take(end + 1 - m_at);
    return std::string(withEnd.substr(0, withEnd.size() - 1));
}

void PickleStack::push(PickleValue value)
{
    if (m_values.size() >= kMostValues)
        return fail("holds more than " + std::to_string(kMostValues) + " values");
    m_values.push_back(std::move(value));
    m_stack.push_back(&m_values.back());
}

PickleValue* PickleStack::pop()
{
    if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back())) {
        fail("takes more values than it has");
        return &m_nothing;
    }
    PickleValue* const value = m_stack.back();
    m_stack.pop_back();
    return value;
}

PickleValue* PickleStack::top()
{
    PickleValue* const value = pop();
    if (!hasFailed())
        m_stack.push_back(value);
    return value;
}

PickleItems PickleStack::pop(size_t count)
{
    PickleItems items(count);
    for (size_t i = count; i-- > 0;)
        items[i] = pop();
    return items;
}

PickleItems PickleStack::popToMark()
{
    if (m_marks.empty()) {
        fail("ends a container that it did not begin");
        return {};
    }
    const auto begin = m_stack.begin() + static_cast<ptrdiff_t>(m_marks.back());
    PickleItems items(begin, m_stack.end());
    m_stack.erase(begin, m_stack.end());
    m_marks.pop_back();
    return items;
}

void PickleStack::put(uint64_t slot)
{
    m_memo[slot] = top();
}

void PickleStack::get(uint64_t slot)
{
    const auto found = m_memo.find(slot);
    if (found == m_memo.end())
        return fail("goes back to a value that it does not have");
    m_stack.push_back(found->second);
}

const PickleValue* PickleStack::finish()
{
    if (m_stack.size() == 1 && m_marks.empty())
        return m_stack.front();
    fail("leaves " + std::to_string(m_stack.size()) + " values where one belongs");
    return nullptr;
}

} // namespace earwright::model
