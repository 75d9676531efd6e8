#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace earwright::distributed {

/// What a rank tells the others of itself, several times a second.
struct Beat {
    int64_t count = 0; ///< grows while the process lives
    int64_t pid = 0;
    int64_t processStartTicks = 0; ///< tells a reused pid apart
    std::string host {};
    std::string phase {};
    int64_t step = 0;
    std::string waitsIn {}; ///< the collective or barrier where its main thread waits for others
    int64_t waits = 0; ///< how many of those it has come to
    double stuckSeconds = 0; ///< since its main thread got on with anything
    double quietSeconds = 0; ///< the same, with neither computing nor disk access
    double idleSeconds = 0; ///< the same, with no operator begun, while a batch is in the model
    std::string stack {}; ///< of the main thread, where it has been quiet for too long
    bool gone = false; ///< its work is done, in good order: its process ends
    int64_t exitCode = 0; ///< with which it ends, where it is gone
};

std::string beatToJson(const Beat& beat);
std::optional<Beat> beatFromJson(const std::string& json);

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
    };

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
