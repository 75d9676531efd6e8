#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/train/trainer.h"

#include <nlohmann/json.hpp>
#include <thread>

namespace earwright::train {

namespace {

constexpr auto kPause = std::chrono::milliseconds(20);
constexpr JsonRange kRate { 0, std::numeric_limits<double>::max() };

Votes votesFrom(const std::string& text)
{
    Votes votes;
    const Status read = readJson(text, [&votes](JsonReader& reader) {
        reader.require("stop", votes.stop);
        reader.require("save", votes.checkpoint);
        reader.require("pause", votes.pause);
        reader.require("rate", votes.learningRate, kRate);
    });
    if (!read)
        throw std::runtime_error("rank 0's requests cannot be read: " + read.error().message);
    return votes;
}

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

/// What rank 0 is asked for, made known to all; the ranks meet here. `ask` runs on rank 0.
void Trainer::hear(const std::string& meeting, const std::function<Votes()>& ask)
{
    const std::string told = m_in.group.runOnMain(meeting, [&ask] {
        const Votes now = ask();
        return nlohmann::json {
            { "stop", now.stop }, { "save", now.checkpoint }, { "pause", now.pause },
            { "rate", now.learningRate }
        }.dump();
    });
    const Votes votes = votesFrom(told);
    m_stop = m_stop || votes.stop;
    m_saveNow = m_saveNow || votes.checkpoint;
    m_pause = votes.pause;
    if (votes.learningRate > 0)
        m_newRate = votes.learningRate;
}

/// Before the first step of an epoch: what was asked for in the preparation or the validation
/// before it holds from that step on.
Status Trainer::heed()
{
    hear("requests", [this] { return votes(); });
    return obey();
}

/// Between two steps: does what all ranks have agreed on.
Status Trainer::obey()
{
    if (!m_stop && !m_saveNow && !m_pause && m_newRate == 0)
        return Done {};
    Status done = report();
    if (m_newRate > 0)
        changeLearningRate(m_newRate);
    if (done && m_saveNow && !m_stop) {
        done = save(false);
        enterPhase("train");
    }
    if (done && m_pause && !m_stop)
        done = standStill();
    m_readings.start();
    return done;
}

/// Sets it now, a pretrained encoder's in proportion, and scales what the schedule will say from
/// now on. Before the first step it takes the place of the optimizer's own: a warm-up then leads to
/// it, and not from it to many times as much. Saved, as a restart takes it from the checkpoint that
/// it starts from.
void Trainer::changeLearningRate(double rate)
{
    const double now = learningRate(*m_optimizer);
    const double before = m_progress.step == 0 ? m_recipeRate * m_schedule->factor() : now;
    if (before > 0)
        m_schedule->scale(rate / before);
    if (m_encoderLearning && before > 0)
        m_encoderLearning->scale(rate / before);
    setLearningRate(*m_optimizer, before == now ? rate : now * (rate / before));
    m_newRate = 0;
    m_saveNow = true;
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
        hear("pause", [this] {
            Votes now = votes();
            while (now.pause && !now.stop && !now.checkpoint && now.learningRate == 0) {
                m_in.group.pulse().progress();
                std::this_thread::sleep_for(kPause);
                now = votes();
            }
            return now;
        });
        if (m_newRate > 0)
            changeLearningRate(m_newRate);
        if (m_saveNow && !m_stop) {
            if (const Status saved = save(false); !saved)
                return saved;
        }
    }
    m_pause = false;
    if (!m_stop)
        enterPhase("train");
    return Done {};
}

/// Between two batches of a validation or test, where the ranks do not meet: rank 0 answers by
/// itself.
void Trainer::answerAlone(Stage stage, const GeneratorStates& generators)
{
    if (!m_in.group.isMain())
        return;
    if (stage == Stage::Valid && m_in.requests.checkpoint())
        saveAlone(generators);
    if (stage == Stage::Valid)
        return; // a new learning rate waits for the first step that follows
    const auto say = [this](const std::string& text) {
        m_in.events.write({ .payload = run::Message { "info", text } });
    };
    if (m_in.requests.checkpoint())
        say("nothing to save: the training is done, and its last checkpoint holds all of it");
    if (m_in.requests.learningRate())
        say("no step is left that a learning rate could change: the training is done");
}

/// With the generators as they were before the validation, which does not use them.
void Trainer::saveAlone(const GeneratorStates& generators)
{
    m_progress.schedule = m_schedule->state();
    if (const Status written = write(checkpoint(generators), false); !written)
        throw std::runtime_error(written.error().message);
}

/// Between two batches of a validation or test: what it is told while it stands still is done there
/// too. False where the run is to stop.
bool Trainer::goOnEvaluating(Stage stage, const GeneratorStates& generators)
{
    answerAlone(stage, generators);
    if (m_in.requests.pause() && !m_in.requests.stop()) {
        enterPhase("pause");
        while (m_in.requests.pause() && !m_in.requests.stop()) {
            answerAlone(stage, generators);
            m_in.group.pulse().progress();
            std::this_thread::sleep_for(kPause);
        }
        enterPhase(phaseOf(stage));
    }
    m_in.group.pulse().progress();
    return !m_in.requests.stop();
}

/// Between two files of the preparation, on any thread: stands still while it is told to.
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

} // namespace earwright::train
