#include "core/train/loop/run_control.h"

#include "core/base/json_fields.h"
#include "core/train/clock.h"

#include <chrono>
#include <limits>
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

Votes RunControl::votes() const
{
    const bool main = m_in.group.isMain();
    return { .stop = m_in.requests.stop(),
        .checkpoint = main && (m_in.requests.checkpoint() || saveIsDue()),
        .pause = main && m_in.requests.pause(),
        .learningRate = main ? m_in.requests.learningRate().value_or(0) : 0 };
}

/// By this rank's clock; StepSync makes one rank's wish everybody's.
bool RunControl::saveIsDue() const
{
    const double minutes = m_in.plan.options.ckptIntervalMinutes;
    return minutes > 0 && m_in.group.isMain() && now() - m_lastSaveTime >= 60 * minutes;
}

void RunControl::syncRequests(const std::string& meeting, const std::function<Votes()>& ask)
{
    const std::string told = m_in.group.runOnMain(meeting, [&ask] {
        const Votes now = ask();
        return nlohmann::json {
            { "stop", now.stop }, { "save", now.checkpoint }, { "pause", now.pause },
            { "rate", now.learningRate }
        }.dump();
    });
    const Votes votes = votesFrom(told);
    agree(votes);
    m_agreed.pause = votes.pause; // rank 0 alone ends it
}

void RunControl::agree(const Votes& votes)
{
    m_agreed.stop = m_agreed.stop || votes.stop;
    m_agreed.checkpoint = m_agreed.checkpoint || votes.checkpoint;
    m_agreed.pause = m_agreed.pause || votes.pause;
    if (votes.learningRate > 0)
        m_agreed.learningRate = votes.learningRate;
}

bool RunControl::isAskedForAnything() const
{
    return m_agreed.stop || m_agreed.checkpoint || m_agreed.pause || m_agreed.learningRate != 0;
}

void RunControl::markLearningRateSet()
{
    m_agreed.learningRate = 0;
    m_agreed.checkpoint = true;
}

void RunControl::markSaved()
{
    m_agreed.checkpoint = false;
    startSaveInterval();
}

void RunControl::startSaveInterval()
{
    m_lastSaveTime = now();
}

bool RunControl::goOn() const
{
    m_in.group.pulse().progress();
    while (isPaused())
        sleepInPause();
    return !m_in.requests.stop();
}

void RunControl::sleepInPause() const
{
    m_in.group.pulse().progress();
    std::this_thread::sleep_for(kPause);
}

} // namespace earwright::train
