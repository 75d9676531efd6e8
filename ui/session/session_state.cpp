#include "ui/session/session_state.h"

#include "core/base/earlier_name.h"

#include <QSettings>

#include <algorithm>

namespace earwright::ui {
namespace {

/// The one list of what is kept, for reading and for writing.
template <class State, class Visit>
void visit(State& state, Visit&& field)
{
    field("window/geometry", state.geometry);
    field("window/docks", state.docks);
    field("window/page", state.page);
    field("window/theme", state.theme);
    field("window/editor_font", state.editorFont);
    field("window/notifications", state.isNotifying);
    field("recipes/open", state.openRecipes);
    field("recipes/current", state.currentRecipe);
    field("recipes/views", state.recipeViews);
    field("recipes/form", state.isFormShown);
    field("recipes/recent", state.recentRecipes);
    field("runs/root", state.runsRoot);
    field("runs/selected", state.selectedRun);
    field("runs/compared", state.comparedRuns);
    field("runs/colors", state.runColors);
    field("runs/columns", state.runColumns);
    field("launch", state.launch);
    field("plots", state.plots);
}

const QString kHeld = QStringLiteral("held");

SessionState readState(const QSettings& settings)
{
    SessionState state;
    visit(state, [&](const char* key, auto& value) {
        using T = std::decay_t<decltype(value)>;
        value = settings.value(QLatin1String(key), QVariant::fromValue(value)).template value<T>();
    });
    return state;
}

void writeState(QSettings& settings, const SessionState& state)
{
    visit(state, [&](const char* key, const auto& value) {
        settings.setValue(QLatin1String(key), QVariant::fromValue(value));
    });
}

/// Nothing of what may have ended the last start: names, colours and settings alone.
SessionState safePart(const SessionState& state)
{
    return { .recentRecipes = state.recentRecipes,
        .theme = state.theme,
        .editorFont = state.editorFont,
        .isNotifying = state.isNotifying };
}

/// Of two starts that did not end well: the second restored only what its user asked for, and has
/// the layout and the settings of a new window.
SessionState joined(const SessionState& latest, const SessionState& earlier)
{
    SessionState all = earlier;
    all.openRecipes = latest.openRecipes + earlier.openRecipes;
    all.openRecipes.removeDuplicates();
    all.recentRecipes = joinedRecent(latest.recentRecipes, earlier.recentRecipes);
    all.recipeViews.insert(latest.recipeViews);
    for (auto member :
        { &SessionState::currentRecipe, &SessionState::runsRoot, &SessionState::selectedRun })
        if (!(latest.*member).isEmpty())
            all.*member = latest.*member;
    if (!latest.comparedRuns.isEmpty())
        all.comparedRuns = latest.comparedRuns;
    return all;
}

} // namespace

QStringList joinedRecent(const QStringList& latest, const QStringList& earlier)
{
    constexpr qsizetype kMost = 12;
    QStringList all = latest + earlier;
    all.removeDuplicates();
    return all.first(std::min(kMost, all.size()));
}

SessionState loadSessionState()
{
    const QSettings own;
    const QString earlier = QString::fromStdString(kEarlierName);
    const QSettings before(QSettings::defaultFormat(), QSettings::UserScope, earlier,
        earlier + QStringLiteral("-studio"));
    return readState(own.allKeys().isEmpty() ? before : own);
}

void saveSessionState(const SessionState& state)
{
    QSettings settings;
    writeState(settings, state);
}

SessionStart loadSessionStart(bool didLastStartEndWell)
{
    SessionStart start { .state = loadSessionState() };
    QSettings settings;
    settings.beginGroup(kHeld);
    if (!settings.allKeys().isEmpty())
        start.held = readState(settings);
    if (didLastStartEndWell || (start.state == SessionState {} && !start.held))
        return start;
    start.held = start.held ? joined(start.state, *start.held) : start.state;
    writeState(settings, *start.held);
    settings.sync();
    start.state = safePart(start.state);
    start.isSafe = true;
    return start;
}

void dropHeldSession()
{
    QSettings().remove(kHeld);
}

} // namespace earwright::ui
