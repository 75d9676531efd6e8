#pragma once

#include <limits>
#include <QAction>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

namespace earwright::ui {

struct ActionSpec {
    QString id; ///< "run.start": stable, unique
    QString text; ///< with an & for the menus
    QString iconName; ///< as icon() takes it; "" = none
    QKeySequence shortcut;
    bool checkable = false;
};

/// Every action of the window, once: menus, toolbar and command palette show these. GUI thread
/// only.
class ActionRegistry final : public QObject {
    Q_OBJECT
public:
    explicit ActionRegistry(QObject* parent = nullptr);

    /// The id must be new; object name of the action = id.
    QAction* add(const ActionSpec& spec);
    /// One made elsewhere (a dock's show/hide): it gets the id as object name.
    void adopt(QAction* action, const QString& id);
    /// Its tips follow: `whole`, where `text` had to be cut for the menus.
    void setText(QAction* action, const QString& text, const QString& whole = {});
    QAction* find(const QString& id) const; ///< null where there is none
    const QList<QAction*>& all() const { return m_actions; }
    void refreshIcons(); ///< after a change of theme

    /// Where it stands in the menus; the palette and the list of shortcuts are grouped by it.
    struct Place {
        QString menu {}; ///< "Run"; "" = in none
        int at = std::numeric_limits<int>::max(); ///< counted through all menus
    };
    void setPlace(const QAction& action, const Place& place);
    Place placeOf(const QAction& action) const;

private:
    QList<QAction*> m_actions;
    QHash<const QAction*, Place> m_places;
};

/// "Start Training" of "&Start Training…": what the palette lists.
QString plainText(const QAction& action);
QString plainText(const QString& menuText);

} // namespace earwright::ui
