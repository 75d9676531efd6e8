#include "core/base/text.h"
#include "core/train/trainer.h"

#include <nlohmann/json.hpp>
#include <thread>

namespace kymo::train {

namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

} // namespace

/// What this rank was asked for. Rank 0 alone speaks of what must not be done twice.
Votes Trainer::votes()
{
    const bool main = m_in.group.isMain();
    return { .stop = m_in.requests.stop(),
        .checkpoint = main && (m_in.requests.checkpoint() || saveIsDue()),
        .pause = main && m_in.requests.pause(),
        .learningRate = main ? m_in.requests.learningRate().value_or(0) : 0 };
}

/// After a step: does what all ranks have agreed on for it.
Status Trainer::obey()
{
    if (!m_stop && !m_saveNow && !m_pause && m_newRate == 0)
        return Done {};
    Status done = report(0);
    if (m_newRate > 0)
        changeLearningRate(m_newRate);
    if (done && m_saveNow && !m_stop)
        done = save(false);
    if (done && m_pause && !m_stop)
        done = standStill();
    return done;
}

/// Sets it now and scales what the schedule will say from now on.
void Trainer::changeLearningRate(double rate)
{
    const double before = learningRate(*m_optimizer);
    if (before > 0)
        m_schedule->scale(rate / before);
    setLearningRate(*m_optimizer, rate);
    m_newRate = 0;
    if (m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { "info",
                                "learning rate set to " + formatDouble(rate) + " after step "
                                    + std::to_string(m_progress.step) } });
}

/// All ranks stay here until rank 0 is told to go on; what else it is told meanwhile is done here.
Status Trainer::standStill()
{
    while (m_pause && !m_stop) {
        enterPhase("pause");
        const auto told = nlohmann::json::parse(m_in.group.runOnMain("pause", [this] {
            Votes now = votes();
            while (now.pause && !now.stop && !now.checkpoint && now.learningRate == 0) {
                m_in.group.pulse().progress();
                std::this_thread::sleep_for(kPause);
                now = votes();
            }
            return nlohmann::json {
                { "stop", now.stop }, { "save", now.checkpoint }, { "pause", now.pause },
                { "rate", now.learningRate }
            }.dump();
        }));
        m_stop = told.at("stop");
        m_pause = told.at("pause");
        if (const double rate = told.at("rate"); rate > 0)
            changeLearningRate(rate);
        if (told.at("save").get<bool>() && !m_stop) {
            if (const Status saved = save(false); !saved)
                return saved;
        }
    }
    m_pause = false;
    if (!m_stop)
        enterPhase("train");
    m_readings.start();
    return Done {};
}

/// Between two batches of a validation, where the ranks do not meet: rank 0 saves by itself, with
/// the generators as they were before it. They are not used in it.
void Trainer::saveAlone(const GeneratorStates& generators)
{
    if (!m_in.group.isMain() || !m_in.requests.checkpoint())
        return;
    m_progress.schedule = m_schedule->state();
    const Result<std::string> saved
        = saveCheckpoint(m_in.folder.checkpoints(), checkpoint(generators), false);
    if (!saved)
        throw std::runtime_error(saved.error().message);
    m_in.events.write({ .payload = run::CheckpointSaved {
                            "checkpoints/" + *saved, epochReached(), m_progress.step, false } });
}

/// Between two files or batches of a long phase, on any thread: stands still while it is told to.
/// False where the run is to stop.
bool Trainer::goOn()
{
    m_in.group.pulse().progress();
    while (m_in.requests.pause() && !m_in.requests.stop()) {
        m_in.group.pulse().progress();
        std::this_thread::sleep_for(kPause);
    }
    return !m_in.requests.stop();
}

} // namespace kymo::train
