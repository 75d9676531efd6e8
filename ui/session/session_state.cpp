#include "ui/session/session_state.h"

#include "core/base/earlier_name.h"

#include <QSettings>

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
    field("recipes/open", state.openRecipes);
    field("recipes/current", state.currentRecipe);
    field("recipes/views", state.recipeViews);
    field("recipes/form", state.isFormShown);
    field("recipes/recent", state.recentRecipes);
    field("runs/root", state.runsRoot);
    field("runs/selected", state.selectedRun);
    field("runs/compared", state.comparedRuns);
    field("runs/colors", state.runColors);
    field("launch", state.launch);
}

} // namespace

SessionState loadSessionState()
{
    const QSettings own;
    const QString earlier = QString::fromStdString(kEarlierName);
    const QSettings before(QSettings::defaultFormat(), QSettings::UserScope, earlier,
        earlier + QStringLiteral("-studio"));
    const QSettings& settings = own.allKeys().isEmpty() ? before : own;
    SessionState state;
    visit(state, [&](const char* key, auto& value) {
        using T = std::decay_t<decltype(value)>;
        value = settings.value(QLatin1String(key), QVariant::fromValue(value)).template value<T>();
    });
    return state;
}

void saveSessionState(const SessionState& state)
{
    QSettings settings;
    visit(state, [&](const char* key, const auto& value) {
        settings.setValue(QLatin1String(key), QVariant::fromValue(value));
    });
}

} // namespace earwright::ui
