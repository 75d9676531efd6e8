#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

namespace kymo::data {

/// Asked before each file of a corpus; false = end without a result. Who asks tells before how many
/// files there are.
class GoOn final {
public:
    using Expect = std::function<void(size_t numFiles)>;

    template <class Ask>
    requires(!std::same_as<Ask, GoOn>) GoOn(Ask ask, Expect expect = {})
        : m_ask(std::move(ask))
        , m_expect(std::move(expect))
    {
    }

    bool operator()() const { return m_ask(); }
    void expect(size_t numFiles) const
    {
        if (m_expect)
            m_expect(numFiles);
    }

private:
    std::function<bool()> m_ask;
    Expect m_expect;
};

} // namespace kymo::data
