#include "core/engine/run_requests.h"

#include "core/base/json_fields.h"
#include "core/distributed/watch.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace earwright::engine {

namespace {

constexpr JsonRange kRate { 0, std::numeric_limits<double>::max() };

std::string refusal(const std::string& why)
{
    JsonWriter writer;
    writer("ok", false);
    writer("error", why);
    return writer.text();
}

} // namespace

std::string RunRequests::answer(const std::string& request)
{
    Result<JsonReader> reader = JsonReader::parse(request);
    if (!reader)
        return refusal("the request is " + reader.error().message);
    std::string command;
    double rate = 0;
    reader->require("command", command);
    (*reader)("value", rate, kRate);
    if (const Status read = reader->status(); !read)
        return refusal(read.error().message);
    if (command == "stop")
        m_stopAsked = true;
    else if (command == "kill")
        m_killAsked = true;
    else if (command == "checkpoint")
        m_savesAsked += 1;
    else if (command == "pause" || command == "continue")
        m_pauseAsked = command == "pause";
    else if (command == "set-lr" && rate > 0)
        m_rateAsked = rate;
    else if (command == "set-lr")
        return refusal("set-lr needs a value above 0");
    else if (command != "status")
        return refusal("unknown command '" + command
            + "': stop, kill, pause, continue, checkpoint, set-lr or status");
    JsonWriter writer;
    writer("ok", true);
    writer("pid", static_cast<int64_t>(getpid()));
    writer("stopping", m_stopAsked.load());
    writer("pausing", m_pauseAsked.load());
    return writer.text();
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
