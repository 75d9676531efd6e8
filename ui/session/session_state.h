#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include <optional>

namespace earwright::ui {

/// What the window remembers from one time to the next (QSettings, Ini format).
struct SessionState {
    QByteArray geometry {};
    QByteArray docks {};
    QStringList openRecipes {};
    QString currentRecipe {};
    QVariantMap recipeViews {}; ///< open recipe -> caret line, caret column, first line shown
    bool isFormShown = false;
    QStringList recentRecipes {}; ///< newest first, at most 12
    QString runsRoot {}; ///< "" = as `earwright` chooses it
    QString selectedRun {};
    QStringList comparedRuns {};
    QStringList runColors {}; ///< see ui::runColors()
    QStringList runColumns {}; ///< of the Run Table; none = its own
    int page = 0;
    int theme = 0; ///< of ThemeMode
    QString editorFont {}; ///< see WindowSettings
    bool isNotifying = true;
    QVariantMap launch {};
    QVariantMap plots {}; ///< page -> PlotBoard::state()

    bool operator==(const SessionState&) const = default;
};

/// What a window starts with.
struct SessionStart {
    SessionState state {};
    /// What an earlier window showed and this one does not restore; nothing where there is none.
    std::optional<SessionState> held {};
    bool isSafe = false; ///< the last start did not end well: files and layout are not restored
};

/// Recent recipes of both, newest first, each once, at most 12.
QStringList joinedRecent(const QStringList& latest, const QStringList& earlier);

// Safe in any thread; they touch the disk.
SessionState loadSessionState();
void saveSessionState(const SessionState& state);
/// What is held back stays in the settings beside what the window keeps, until it is dropped.
SessionStart loadSessionStart(bool didLastStartEndWell);
void dropHeldSession();

} // namespace earwright::ui
