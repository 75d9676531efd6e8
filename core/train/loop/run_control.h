#pragma once

#include "core/train/step_reducer.h"
#include "core/train/trainer_context.h"

#include <functional>
#include <string>

namespace earwright::train {

/// What a run is asked for: by those outside of this rank, and what all ranks have agreed on. It
/// alone says whether the run is to stop. Main thread only, but for goOn().
class RunControl final {
public:
    explicit RunControl(const TrainerContext& context)
        : m_in(context)
    {
    }

    /// What this rank was asked for. Rank 0 alone speaks of what must not be done twice.
    Votes votes() const;
    /// Makes known to all what rank 0 is asked for; the ranks meet here. `ask` runs on rank 0.
    void syncRequests(const std::string& meeting, const std::function<Votes()>& ask);
    /// Takes up what some rank wants, as all have added it up.
    void agree(const Votes& votes);
    /// What all ranks agreed on and is still to be done.
    const Votes& agreed() const { return m_agreed; }
    bool isStopping() const { return m_agreed.stop; }
    bool isAskedForAnything() const;

    // Called by all ranks at the same step:
    void stop() { m_agreed.stop = true; } ///< an evaluation was interrupted
    void askForSave() { m_agreed.checkpoint = true; }
    void endPause() { m_agreed.pause = false; }
    /// Asks for a save too: a restart takes the rate from the checkpoint that it starts from.
    void markLearningRateSet();
    /// The next save by ckpt_interval_minutes is that long after this.
    void markSaved();
    void startSaveInterval();

    /// Between two files of the preparation, on any thread: stands still while it is told to.
    /// False where the run is to stop.
    bool goOn() const;
    /// Whether this rank is told to stand still, and not to stop.
    bool isPaused() const { return m_in.requests.pause() && !m_in.requests.stop(); }
    /// A moment of standing still, which is no hang.
    void sleepInPause() const;

private:
    bool saveIsDue() const;

    const TrainerContext& m_in;
    Votes m_agreed;
    double m_lastSaveTime = 0;
};

} // namespace earwright::train
