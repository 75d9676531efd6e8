#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace earwright {

/// Why the world failed: what, where and what to try, in one sentence a user can act on.
struct Error {
    std::string message;
};

/// A value, or why there is none. Never throws; asking a failed Result for its value is a bug.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    T& value()
    {
        assert(*this);
        return std::get<0>(m_state);
    }
    const T& value() const
    {
        assert(*this);
        return std::get<0>(m_state);
    }
    const Error& error() const
    {
        assert(!*this);
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

/// A Result without a value: `return Done {};` or `return Error { "…" };`.
struct Done { };
using Status = Result<Done>;

} // namespace earwright
