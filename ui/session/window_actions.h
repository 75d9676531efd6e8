#pragma once

#include "ui/widgets/action_registry.h"
#include "ui/widgets/theme.h"

#include <functional>
#include <initializer_list>
#include <QObject>
#include <vector>

class QMainWindow;

namespace earwright::ui {

/// Makes the window's actions and knows when each may be used. GUI thread only.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(QMainWindow& window);

    QAction* add(const char* id, const QString& text, const char* icon, const QKeySequence& keys,
        std::function<void()> run);
    /// `text`: with %1 for the run that it acts on; see nameRun().
    QAction* addOfRun(const char* id, const QString& text, const char* icon,
        const QKeySequence& keys, std::function<void()> run);
    QAction* find(const char* id) const; ///< null where there is none
    QList<QAction*> find(std::initializer_list<const char*> ids) const;

    /// From the next refresh() on these can be used while `holds` says so.
    void enableWhen(std::initializer_list<const char*> ids, std::function<bool()> holds);
    void onRefresh(std::function<void()> rule); ///< the same for what several of them ask for
    void refresh(); ///< after any change of what is shown or selected
    void setEnabled(std::initializer_list<const char*> ids, bool isEnabled);

    /// What actions of a run call it: "" = the selected run. A long name leaves its middle out, as
    /// runs of one recipe differ in the time at its end; tips have it whole.
    void nameRun(const QString& name);

    ActionRegistry* registry() const { return m_registry; }

private:
    QMainWindow& m_window;
    ActionRegistry* m_registry;
    std::vector<std::function<void()>> m_rules;
};

/// The id of the action that chooses this theme.
const char* themeActionOf(ThemeMode mode);

} // namespace earwright::ui
