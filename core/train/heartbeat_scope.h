#pragma once

#include "core/distributed/pulse.h"

#include <chrono>
#include <future>

namespace earwright::train {

/// While it lives, its rank counts as getting on: around what takes minutes without a word of how
/// far it is, as the training of a tokenizer or the loading of a large n-gram, and is no hang. The
/// work stays on its thread, whose device and settings it needs; another one speaks for it.
class HeartbeatScope final {
public:
    explicit HeartbeatScope(distributed::Pulse& pulse)
        : m_saying(std::async(std::launch::async, [&pulse, ended = m_ended.get_future()] {
            do
                pulse.progress();
            while (ended.wait_for(kInterval) == std::future_status::timeout);
        }))
    {
    }
    ~HeartbeatScope()
    {
        m_ended.set_value();
        m_saying.wait();
    }
    HeartbeatScope(const HeartbeatScope&) = delete;
    HeartbeatScope& operator=(const HeartbeatScope&) = delete;

private:
    static constexpr auto kInterval
        = std::chrono::milliseconds(100); ///< the shortest heartbeat_timeout is 1 s

    std::promise<void> m_ended;
    std::future<void> m_saying;
};

} // namespace earwright::train
