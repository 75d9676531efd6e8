#include "core/engine/run_requests.h"

#include "core/distributed/watch.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace earwright::engine {

namespace {

std::string refusal(const std::string& why)
{
    return nlohmann::json { { "ok", false }, { "error", why } }.dump();
}

/// 0 where the request has none.
double rateOf(const nlohmann::json& request)
{
    const auto value = request.find("value");
    return value != request.end() && value->is_number() ? value->get<double>() : 0;
}

} // namespace

std::string RunRequests::answer(const std::string& request)
{
    const auto json = nlohmann::json::parse(request, nullptr, false);
    const std::string command = json.is_object() ? json.value("command", "") : "";
    if (command == "stop")
        m_stopAsked = true;
    else if (command == "kill")
        m_killAsked = true;
    else if (command == "checkpoint")
        m_savesAsked += 1;
    else if (command == "pause" || command == "continue")
        m_pauseAsked = command == "pause";
    else if (command == "set-lr" && rateOf(json) > 0)
        m_rateAsked = rateOf(json);
    else if (command == "set-lr")
        return refusal("set-lr needs a value above 0");
    else if (command != "status")
        return refusal("unknown command '" + command
            + "': stop, kill, pause, continue, checkpoint, set-lr or status");
    return nlohmann::json {
        { "ok", true }, { "pid", getpid() }, { "stopping", m_stopAsked.load() },
        { "pausing", m_pauseAsked.load() }
    }.dump();
}

void RunRequests::passOn(int terminal, RankGroup& ranks, run::EventWriter& events)
{
    const auto acknowledge = [&events](const std::string& what) {
        events.write({ .payload = run::Message { "info", what } });
    };
    if ((m_stopAsked || terminal > 0) && !m_stopPassedOn) {
        ranks.store().set(distributed::keys::kStop, std::string("1"));
        events.write({ .payload = run::PhaseChanged { "stopping" } });
        acknowledge("stopping after this step, with a checkpoint");
        m_stopPassedOn = true;
    }
    if (const bool pause = m_pauseAsked; pause != m_pausePassedOn) {
        ranks.store().set(distributed::keys::kPause, std::string(pause ? "1" : "0"));
        acknowledge(pause ? "pausing after this step" : "going on after the pause");
        m_pausePassedOn = pause;
    }
    if (const double rate = m_rateAsked.exchange(0); rate > 0) {
        const std::string text = nlohmann::json(rate).dump();
        ranks.store().set(
            distributed::keys::kLearningRate, std::to_string(++m_ratesPassedOn) + " " + text);
        acknowledge("learning rate " + text + " asked for: it holds within a step");
    }
    for (; m_savesPassedOn < m_savesAsked; ++m_savesPassedOn) {
        ranks.store().add(distributed::keys::kCheckpoint, 1);
        acknowledge(
            "checkpoint asked for: within a step, at the next batch of a validation, in the "
            "preparation before the first step");
    }
    if (m_killAsked || terminal > 1) {
        ranks.kill();
        m_stopPassedOn = true;
        m_killAsked = true;
    }
}

void RunRequests::startAnew()
{
    m_pausePassedOn = false;
    m_savesPassedOn = m_savesAsked;
}

} // namespace earwright::engine
