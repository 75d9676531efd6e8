#include "core/train/loop/request_handler.h"

#include "core/base/text.h"

namespace earwright::train {

Status RequestHandler::handleRequests()
{
    m_with.control.syncRequests("requests", [this] { return m_with.control.votes(); });
    return applyRequests();
}

Status RequestHandler::applyRequests()
{
    if (!m_with.control.isAskedForAnything())
        return Done {};
    Status done = m_with.sync.flushMetrics();
    if (m_with.control.agreed().learningRate > 0)
        changeLearningRate(m_with.control.agreed().learningRate);
    if (done && m_with.control.agreed().checkpoint && !m_with.control.isStopping()) {
        done = m_with.checkpoints.save(false);
        m_with.reporter.enterPhase("train");
    }
    if (done && m_with.control.agreed().pause && !m_with.control.isStopping())
        done = standStill();
    m_with.sync.start();
    return done;
}

void RequestHandler::changeLearningRate(double rate)
{
    m_with.state.model.optimization->changeRate(rate, m_with.state.progress.step);
    m_with.control.markLearningRateSet();
    if (m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { "info",
                                "learning rate set to " + formatDouble(rate) + " after step "
                                    + std::to_string(m_with.state.progress.step) } });
}

/// All ranks stay here until rank 0 is told to go on; what else it is told meanwhile is done here.
Status RequestHandler::standStill()
{
    while (m_with.control.agreed().pause && !m_with.control.isStopping()) {
        m_with.reporter.enterPhase("pause");
        m_with.control.syncRequests("pause", [this] {
            Votes now = m_with.control.votes();
            while (now.pause && !now.stop && !now.checkpoint && now.learningRate == 0) {
                m_with.control.sleepInPause();
                now = m_with.control.votes();
            }
            return now;
        });
        if (m_with.control.agreed().learningRate > 0)
            changeLearningRate(m_with.control.agreed().learningRate);
        if (m_with.control.agreed().checkpoint && !m_with.control.isStopping()) {
            if (const Status saved = m_with.checkpoints.save(false); !saved)
                return saved;
        }
    }
    m_with.control.endPause();
    if (!m_with.control.isStopping())
        m_with.reporter.enterPhase("train");
    return Done {};
}

bool RequestHandler::goOnEvaluating(Stage stage, const GeneratorStates& generators)
{
    answerAlone(stage, generators);
    if (m_with.control.isPaused()) {
        m_with.reporter.enterPhase("pause");
        while (m_with.control.isPaused()) {
            answerAlone(stage, generators);
            m_with.control.sleepInPause();
        }
        m_with.reporter.enterPhase(phaseOf(stage));
    }
    m_in.group.pulse().progress();
    return !m_in.requests.stop();
}

/// Between two batches of a validation or test, where the ranks do not meet: rank 0 answers by
/// itself.
void RequestHandler::answerAlone(Stage stage, const GeneratorStates& generators)
{
    if (!m_in.group.isMain())
        return;
    if (stage == Stage::Valid && m_in.requests.checkpoint())
        m_with.checkpoints.saveAlone(generators);
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

} // namespace earwright::train
