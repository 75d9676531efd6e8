#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariantMap>

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
    int page = 0;
    int theme = 0; ///< of ThemeMode
    QVariantMap launch {};

    bool operator==(const SessionState&) const = default;
};

// Safe in any thread; they touch the disk.
SessionState loadSessionState();
void saveSessionState(const SessionState& state);

} // namespace earwright::ui
