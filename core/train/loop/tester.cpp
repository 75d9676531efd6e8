#include "core/train/loop/tester.h"

#include "core/base/text.h"
#include "core/train/heartbeat_scope.h"
#include "core/train/left_to_do.h"
#include "core/train/weights/average.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/load_weights.h"

namespace earwright::train {

Result<Outcome> Tester::test()
{
    if (m_state.data.tests.empty())
        return Outcome::Done;
    if (const Status ready = m_state.model.task->readyFor(Stage::Test); !ready)
        return ready.error();
    const Result<std::vector<std::string>> checkpoints = loadTestWeights();
    if (!checkpoints)
        return checkpoints.error();
    const std::set<std::string> done = testsDone(*checkpoints);
    for (const Split& split : m_state.data.tests) {
        if (done.contains(split.name))
            continue;
        const Result<Evaluation> scores
            = m_evaluator.evaluateSplit(split, Stage::Test, *checkpoints);
        if (!scores)
            return scores.error();
        if (scores->interrupted)
            return Outcome::Stopped;
    }
    return Outcome::Done;
}

/// Rank 0 chooses and averages, and all read the same file. Weights only: what else a checkpoint
/// holds is of training, which is over. Returns the names of the checkpoints whose mean it is; none
/// where a run without a step began with weights that cannot be saved: these are tested.
Result<std::vector<std::string>> Tester::loadTestWeights()
{
    const std::filesystem::path folder = m_in.folder.checkpoints();
    std::vector<std::string> notFinite = m_in.group.gatherText(m_nonFinite.first());
    std::erase(notFinite, "");
    const std::string name = m_in.group.runOnMain("test weights", [&]() -> std::string {
        if (!lastCheckpoint(folder)) {
            if (m_state.progress.step > 0)
                throw std::runtime_error("there are no weights to test: they were not finite "
                                         "whenever a checkpoint was due"
                    + (notFinite.empty() ? "" : "; first was " + join(notFinite, ", ")));
            return {};
        }
        const auto chosen = judgedCheckpoint(folder, m_checkpoints.kept(), folder);
        if (!chosen)
            throw std::runtime_error(chosen.error().message);
        return chosen->filename();
    });
    if (name.empty())
        return std::vector<std::string> {};
    const std::filesystem::path path = folder / name;
    Result<Checkpoint> checkpoint = m_checkpoints.shared(path);
    if (!checkpoint)
        return checkpoint.error();
    if (const Status loaded = loadWeights(*m_state.model.task, std::move(checkpoint->model), path);
        !loaded)
        return loaded.error();
    std::vector<std::string> names;
    for (const CheckpointPart& part : checkpoint->averaged)
        names.push_back(part.name);
    if (!names.empty() && m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { "info",
                                "the test takes the mean of the weights of " + join(names, ", ")
                                    + ": checkpoints/" + name } });
    return names.empty() ? std::vector<std::string> { name } : names;
}

/// Of an attempt that was cut off in a later one: curves and tables have each once. Rank 0 says it.
std::set<std::string> Tester::testsDone(const std::vector<std::string>& checkpoints)
{
    if (m_in.attempt == 0)
        return {};
    const std::vector<std::string> done
        = split(m_in.group.runOnMain("tests that are done",
                    [&]() -> std::string {
                        const HeartbeatScope reading(m_in.group.pulse());
                        const std::set<std::string> names = testedBefore(
                            m_in.folder, m_in.plan, m_state.progress.step, checkpoints);
                        return join({ names.begin(), names.end() }, "\n");
                    }),
            '\n');
    return { done.begin(), done.end() };
}

} // namespace earwright::train
