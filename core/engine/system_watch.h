#pragma once

#include "core/engine/system_figures.h"
#include "core/run/event_log.h"

#include <chrono>
#include <memory>

namespace earwright::engine {

/// Writes the figures of SystemFigures as scalars into an event log, once an interval, from a
/// thread of its own: a driver that hangs holds up nobody. It writes nothing until it knows a step:
/// that of a resumed run is not 0. Safe from any thread.
class SystemWatch final {
public:
    static constexpr std::chrono::milliseconds kInterval { 5000 };

    /// `events` must outlive it.
    SystemWatch(run::EventWriter& events, const SystemPlaces& places,
        std::chrono::milliseconds interval = kInterval);
    ~SystemWatch(); ///< nothing is written from then on
    SystemWatch(const SystemWatch&) = delete;
    SystemWatch& operator=(const SystemWatch&) = delete;

    void setSubject(SystemSubject subject);
    void setStep(int64_t step); ///< that the figures are of

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace earwright::engine
