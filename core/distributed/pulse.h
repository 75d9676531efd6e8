#pragma once

#include "core/distributed/beat.h"

#include <cstdint>
#include <memory>
#include <string>

namespace earwright::distributed {

/// Where a rank's main thread is and since when; the watch sends it on. The thread that makes it is
/// the main thread. Safe from any thread.
class Pulse final {
public:
    Pulse();
    ~Pulse();

    /// The main thread has begun something else.
    void at(const std::string& phase, int64_t step);
    /// It got on with what it is doing: a file, a batch. What takes long calls it all along.
    void progress();

    /// While it lives, the main thread waits for other ranks.
    class Wait final {
    public:
        Wait(Pulse& pulse, std::string what);
        ~Wait();
        Wait(const Wait&) = delete;
        Wait& operator=(const Wait&) = delete;

    private:
        Pulse& m_pulse;
        std::string m_before; ///< waits may lie in one another
        int m_exceptions; ///< under way when it began
    };
    /// Where the main thread waits, or the wait that an exception ended; "" where there is none.
    std::string waitedIn() const;

    /// While it lives, the main thread has a batch in the model: every operator that it begins
    /// there says that it gets on. What computes there without one is an endless loop.
    class InModel final {
    public:
        explicit InModel(Pulse& pulse);
        ~InModel();
        InModel(const InModel&) = delete;
        InModel& operator=(const InModel&) = delete;

    private:
        Pulse& m_pulse;
        uint64_t m_callback;
    };

    /// While it lives, what computes with a batch in the model does so without operators, as a
    /// search does: it has the time of what computes elsewhere. Nothing where the thread has no
    /// batch in the model.
    class WithoutOperators final {
    public:
        WithoutOperators();
        ~WithoutOperators();
        WithoutOperators(const WithoutOperators&) = delete;
        WithoutOperators& operator=(const WithoutOperators&) = delete;

    private:
        Pulse* m_pulse;
    };

    /// Called at even intervals, from one thread. With a stack where the main thread has been quiet
    /// or idle for longer than `stackAfterSeconds`.
    Beat beat(double stackAfterSeconds);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace earwright::distributed
