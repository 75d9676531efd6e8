#include "ui/editor/recipe_tabs.h"
#include "ui/launch/translated.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_controllers.h"

namespace earwright::ui {
namespace {

/// What a run that trains may be told.
void addSteeringActions(WindowActions& actions, const ControllersPtr& c)
{
    const auto tell
        = [&c](const char* command) { return [&c, command] { c->steering.tell(command); }; };
    actions
        .addOfRun("run.stop", translated("S&top %1"), "media-playback-stop",
            QKeySequence(Qt::SHIFT | Qt::Key_F5), tell("stop"))
        ->setIconText(translated("Stop"));
    actions.addOfRun("run.kill", translated("&Kill %1…"), "process-stop",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5), [&c] { c->steering.askKill(); });
    actions
        .addOfRun("run.pause", translated("&Pause %1"), "media-playback-pause",
            QKeySequence(Qt::Key_Pause), tell("pause"))
        ->setIconText(translated("Pause"));
    actions
        .addOfRun("run.continue", translated("Contin&ue %1"), "run-continue",
            QKeySequence(Qt::SHIFT | Qt::Key_Pause), tell("continue"))
        ->setIconText(translated("Continue"));
    actions.addOfRun("run.checkpoint", translated("Sa&ve a Checkpoint of %1"), "document-save", {},
        tell("checkpoint"));
    actions.addOfRun("run.setLearningRate", translated("Set the Learnin&g Rate of %1…"), "", {},
        [&c] { c->steering.askLearningRate(); });
}

/// What the run that is shown can do in its state. It is looked up once for all of them.
void refreshRunActions(const WindowParts& parts, const RunSelection& selection)
{
    WindowActions& actions = *parts.actions;
    const QModelIndex shown = parts.runs->indexOf(selection.current());
    const auto state = shown.isValid()
        ? static_cast<run::State>(shown.data(RunListModel::StateRole).toInt())
        : run::State::Unknown;
    const int place = shown.data(RunListModel::PlaceRole).toInt();
    const bool isOwn = shown.data(RunListModel::CapsuleRole).toString().isEmpty();
    const bool mayGoOn
        = isOwn && (state == run::State::Queued || (isOver(state) && state != run::State::Done));
    actions.setEnabled({ "run.stop", "run.kill", "run.checkpoint", "run.setLearningRate" },
        isLive(state) && isOwn);
    // No event tells of a pause while a run prepares: there it may be the one or the other.
    const bool isStarting = state == run::State::Starting;
    actions.setEnabled({ "run.pause" }, (isStarting || state == run::State::Running) && isOwn);
    actions.setEnabled({ "run.continue" }, (isStarting || state == run::State::Paused) && isOwn);
    actions.setEnabled({ "run.resume" }, mayGoOn);
    actions.setEnabled({ "run.resumeWith" }, mayGoOn || (isOwn && state == run::State::Done));
    actions.setEnabled({ "file.closeCapsule" }, !isOwn);
    actions.setEnabled({ "run.enqueue" }, mayGoOn && place == 0);
    // At the ends too: a press too many would move the selection instead.
    actions.setEnabled({ "run.dequeue", "run.queueUp", "run.queueDown" }, place > 0);
}

} // namespace

void addRunActions(const WindowParts& parts, const ControllersPtr& c)
{
    WindowActions& actions = *parts.actions;
    actions
        .add("run.start", translated("&Start Training"), "media-playback-start",
            QKeySequence(Qt::Key_F5), [&c] { c->launch.start(); })
        ->setIconText(translated("Start"));
    actions.addOfRun("run.resume", translated("&Resume %1"), "media-playback-start",
        QKeySequence(Qt::ALT | Qt::Key_F5), [&c] { c->launch.resume(); });
    actions.addOfRun("run.resumeWith", translated("Resume %1 &with Other Settings…"),
        "media-playback-start", QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_F5),
        [&c] { c->launch.askResume(); });
    actions.add("run.compare", translated("Train in &All Precisions"), "office-chart-bar",
        QKeySequence(Qt::CTRL | Qt::Key_F5), [&c] { c->launch.startInAllPrecisions(); });
    actions.add("run.compareSelected", translated("&Compare Selected Runs"),
        "view-split-left-right", QKeySequence(Qt::CTRL | Qt::Key_D),
        [&c] { c->comparison.compareSelected(); });
    actions.addOfRun("run.openFolder", translated("Open the Fol&der of %1"), "folder-open", {},
        [&c] { c->runs.openFolder(); });
    addSteeringActions(actions, c);
    const auto hasRecipe = [&parts] { return parts.recipes->current() != nullptr; };
    actions.enableWhen({ "run.start", "run.compare" }, hasRecipe);
    actions.enableWhen({ "run.openFolder" }, [&c] { return !c->selection.current().isEmpty(); });
    actions.enableWhen(
        { "run.compareSelected" }, [&c] { return !c->selection.selected().isEmpty(); });
}

void addQueueActions(const WindowParts& parts, const ControllersPtr& c)
{
    WindowActions& actions = *parts.actions;
    actions
        .add("run.queue", translated("Start When the Devices Are &Free"), "list-add",
            QKeySequence(Qt::Key_F6), [&c] { c->launch.enqueue(); })
        ->setIconText(translated("Queue"));
    actions.add("run.enqueue", translated("Put the Selected Runs into the &Queue"), "list-add", {},
        [&c] { c->queue.add(); });
    actions.addOfRun("run.queueUp", translated("Start %1 &Earlier"), "go-up",
        QKeySequence(Qt::ALT | Qt::Key_Up), [&c] { c->queue.move(-1); });
    actions.addOfRun("run.queueDown", translated("Start %1 &Later"), "go-down",
        QKeySequence(Qt::ALT | Qt::Key_Down), [&c] { c->queue.move(1); });
    actions.add("run.dequeue", translated("Take the Selected Runs &out of the Queue"),
        "list-remove", QKeySequence::Delete, [&c] { c->queue.remove(); });
    // Keys of the list of runs: elsewhere they are others' (Delete is the editor's).
    for (QAction* each : actions.find({ "run.queueUp", "run.queueDown", "run.dequeue" }))
        each->setShortcutContext(Qt::WidgetShortcut);
    QAction* held = actions.add("run.queueHeld", translated("&Hold the Queue"), "", {},
        [&parts, &c] { c->queue.setHeld(parts.actions->find("run.queueHeld")->isChecked()); });
    held->setCheckable(true);
    held->setToolTip(translated("No more runs start; those that train go on"));
    actions.enableWhen({ "run.queue" }, [&parts] { return parts.recipes->current() != nullptr; });
    actions.onRefresh([&parts, &c] { refreshRunActions(parts, c->selection); });
}

} // namespace earwright::ui
