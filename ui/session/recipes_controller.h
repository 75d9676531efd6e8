#pragma once

#include "core/recipe/node.h"

#include <QObject>
#include <QStringList>
#include <vector>

namespace earwright::ui {

struct RecipeSource;
struct WindowParts;

/// The open recipes and the panels that follow the one in front; which were open lately, and which
/// an earlier window left unsaved. GUI thread only.
class RecipesController final : public QObject {
    Q_OBJECT
public:
    explicit RecipesController(const WindowParts& parts);

    void open(const QString& path);
    void openAt(const QString& path, recipe::Position place);
    void create(); ///< asks from what and where
    void compare(); ///< the one in front with others
    /// Opens it and makes the change there, to be looked at, undone or saved.
    void change(const QString& path, const QStringList& settings);
    void askForLeft();

    const QStringList& recent() const { return m_recent; } ///< newest first
    void setRecent(const QStringList& recent) { m_recent = recent; }
    void refreshList(); ///< in the sidebar
    void onCurrentChanged();

private:
    void connectTabs();
    void connectPanels();
    void onPathsChanged();
    void noteRecent(const QString& path);
    void offerLeft();
    std::vector<RecipeSource> sources() const; ///< the current recipe's text and file first

    const WindowParts& m_parts;
    QStringList m_recent;
    QStringList m_left; ///< whose text an earlier window left unsaved
};

} // namespace earwright::ui
