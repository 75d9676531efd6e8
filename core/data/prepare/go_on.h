#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace earwright::data {

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

/// Asks `ask`, and tells now and then how far that has come: "120 of 4000 files read", where `done`
/// is "read".
inline GoOn telling(std::function<bool()> ask, std::string done,
    std::function<void(const std::string&)> tell,
    std::chrono::milliseconds interval = std::chrono::seconds(10))
{
    using Clock = std::chrono::steady_clock;
    struct State {
        size_t count = 0;
        size_t expected = 0;
        Clock::time_point told = Clock::now();
    };
    const auto state = std::make_shared<State>();
    const auto count = [=, ask = std::move(ask), tell = std::move(tell)] {
        ++state->count;
        if (const auto now = Clock::now(); now - state->told >= interval) {
            state->told = now;
            tell(std::to_string(state->count) + " of " + std::to_string(state->expected) + " files "
                + done);
        }
        return ask();
    };
    const auto expect = [state](size_t numFiles) {
        state->count = 0;
        state->expected = numFiles;
        state->told = Clock::now(); // what comes before may take long
    };
    return { count, expect };
}

} // namespace earwright::data
