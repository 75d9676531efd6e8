#include "core/engine/resume.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/engine/machine_probe.h"
#include "core/engine/supervisor.h"
#include "core/plan/revise.h"
#include "core/plan/test_search.h"
#include "core/run/follower.h"
#include "core/run/hold.h"
#include "core/train/left_to_do.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/checkpoint_manifest.h"

namespace earwright::engine {

namespace {

namespace fs = std::filesystem;

constexpr auto kLeavePatience = std::chrono::seconds(7); ///< ranks of a killed supervisor may leave

/// Relative paths of a run count from its working folder.
class InFolder final {
public:
    explicit InFolder(const std::string& folder)
    {
        std::error_code problem;
        m_before = fs::current_path(problem);
        if (!problem && !folder.empty())
            fs::current_path(folder, problem);
        m_isEntered = !problem;
    }
    ~InFolder()
    {
        std::error_code ignored;
        fs::current_path(m_before, ignored);
    }
    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;
    bool isEntered() const { return m_isEntered; }

private:
    fs::path m_before;
    bool m_isEntered = false;
};

/// Where the run goes on; its beginning where no checkpoint says more.
train::Progress progressOf(const run::RunFolder& folder)
{
    for (const fs::path& checkpoint : train::stepFolders(folder.checkpoints()))
        if (const auto manifest = train::readCheckpointManifest(checkpoint))
            return manifest->progress;
    return {};
}

/// What a run has done cannot be taken back.
Status checkEnd(
    const plan::RunOptions& before, const plan::RunOptions& now, const train::Progress& progress)
{
    const int64_t epochs = progress.batchesDone > 0 ? progress.epoch : progress.epoch - 1;
    if (now.numberOfEpochs != before.numberOfEpochs && now.numberOfEpochs < epochs)
        return Error { "number_of_epochs " + std::to_string(now.numberOfEpochs)
            + " lies before epoch " + std::to_string(epochs)
            + ", which the run is in or has done: set it to " + std::to_string(epochs)
            + " or more" };
    const int64_t limit = now.optimizerStepLimit;
    if (limit != before.optimizerStepLimit && limit > 0 && limit < progress.step)
        return Error { "optimizer_step_limit " + std::to_string(limit) + " lies before step "
            + std::to_string(progress.step) + ", which the run has done: set it to "
            + std::to_string(progress.step) + " or more, or to 0" };
    return Done {};
}

/// Ended as done, and tested as the plan says.
bool isTestedToItsEnd(const run::RunFolder& folder, const plan::Plan& plan)
{
    run::Follower follower(folder);
    if (!follower.poll())
        return false; // its start says what is wrong
    const run::Snapshot& snapshot = follower.snapshot();
    if (snapshot.state != run::State::Done || snapshot.lastTime <= plan::testSearchTime(plan))
        return false;
    const InFolder inFolder(plan.workingFolder);
    return !inFolder.isEntered() || !train::testsHaveChanged(folder, plan);
}

/// Of a run that has trained as long as it may.
std::string goingOn(const train::Progress& progress, const plan::RunOptions& options)
{
    std::string words;
    std::string bounds;
    const bool isCut = progress.cut.batchesDone > 0; // a higher limit of steps alone goes on in it
    if (progress.epoch - (isCut ? 1 : 0) > options.numberOfEpochs) {
        words = " --number_of_epochs=N";
        bounds = "N above " + std::to_string(options.numberOfEpochs);
    }
    const int64_t limit = options.optimizerStepLimit;
    if (limit > 0 && progress.step >= limit) {
        words += " --optimizer_step_limit=M";
        bounds += (bounds.empty() ? "" : " and ") + ("M above " + std::to_string(limit))
            + " or 0 for no limit";
    }
    return words + "`, with " + bounds;
}

/// Diagnostics are of the file that was edited.
void placeInRun(const std::string& recipeFile, const fs::path& runsFile,
    std::vector<recipe::Diagnostic>& diagnostics)
{
    for (recipe::Diagnostic& one : diagnostics)
        if (one.span.file == recipeFile)
            one.span.file = runsFile.string();
}

Error editedResolved(const run::RunFolder& folder)
{
    return Error { "'" + (folder.path / "resolved.yaml").string()
        + "' was edited, which Earwright makes of recipe.yaml: put it back, and change settings by "
          "`earwright resume RUN --key=value`" };
}

} // namespace

std::string finishedWords(
    const run::RunFolder& folder, const plan::Plan& plan, const std::vector<std::string>& changes)
{
    const run::RunFolder here { fs::absolute(folder.path) };
    const train::Progress progress = progressOf(here);
    if (train::hasEpochsLeft(progress, plan.options)
        || train::goesOnInCutEpoch(progress, plan.options) || plan::changeTestSearch(changes)
        || !isTestedToItsEnd(here, plan))
        return {};
    return "'" + here.path.string() + "' is finished, after epoch "
        + std::to_string(progress.epoch - 1) + " and step " + std::to_string(progress.step)
        + (changes.empty() ? "" : ", and " + join(changes, "; ") + " changes nothing of it")
        + ": to go on, write `earwright resume RUN" + goingOn(progress, plan.options);
}

Result<Resumption> prepareResume(const run::RunFolder& folder, const plan::Plan& plan,
    const std::vector<std::string>& words, std::vector<recipe::Diagnostic>& found)
{
    const run::RunFolder here { fs::absolute(folder.path) };
    const Result<run::Edits> edits = run::editsOf(here, plan);
    if (!edits)
        return edits.error();
    if (!edits->recipe && edits->resolved)
        return editedResolved(folder);
    if (words.empty() && !edits->recipe)
        return Resumption { plan, {}, finishedWords(here, plan) };
    if (const Status runnable = checkRunnable(folder); !runnable)
        return runnable.error();
    const Result<Descriptor> alone = run::holdRun(here, kLeavePatience);
    if (!alone)
        return alone.error();
    const InFolder inFolder(plan.workingFolder);
    Result<plan::Revised> revised = plan::revise(plan,
        { .recipeText = plan.recipeText,
            .words = words,
            .checkFiles = false }, // it was when the run was planned, and not all is read again
        probeMachine(), found);
    placeInRun(plan.recipeFile, here.path / "recipe.yaml", found);
    if (!revised)
        return revised.error();
    const train::Progress progress = progressOf(here);
    if (const Status ahead = checkEnd(plan.options, revised->plan.options, progress); !ahead)
        return ahead.error();
    if (std::string finished = finishedWords(here, revised->plan, revised->changes);
        !finished.empty())
        return Resumption { plan, {}, std::move(finished) };
    Resumption resumption { std::move(revised->plan), {} };
    if (!revised->changes.empty()) {
        resumption.plan.revisions.push_back({ run::timeText(), progress.step, revised->changes });
        resumption.notes.push_back({ "info", "it goes on with " + join(revised->changes, "; ") });
    }
    if (const Status written = run::revisePlan(here, resumption.plan); !written)
        return written.error();
    return resumption;
}

Status checkUnedited(const run::RunFolder& folder, const plan::Plan& plan)
{
    const Result<run::Edits> edits = run::editsOf(folder, plan);
    if (!edits)
        return edits.error();
    if (edits->recipe)
        return Error { "'" + (folder.path / "recipe.yaml").string()
            + "' was edited after the run was planned, and its ranks do not read it: "
              "`earwright resume` does" };
    return edits->resolved ? Status(editedResolved(folder)) : Status(Done {});
}

} // namespace earwright::engine
