#pragma once

#include "ui/editor/recipe_checker.h"
#include "ui/editor/usages_panel.h"

#include <QStringList>
#include <QWidget>

class QAction;
class QStackedWidget;
class QTabWidget;

namespace earwright::ui {

class RecipePage;

/// The open recipes, one tab each; says what to do while there is none. GUI thread only.
class RecipeTabs final : public QWidget {
    Q_OBJECT
public:
    explicit RecipeTabs(const QList<QAction*>& emptyActions, QWidget* parent = nullptr);

    RecipePage* open(const QString& path); ///< a file already open comes to the front
    RecipePage* current() const; ///< null where none is open
    QList<RecipePage*> pages() const;
    QStringList paths() const;

    void setFormShown(bool isShown); ///< beside each text, those opened later too
    bool isFormShown() const { return m_isFormShown; }
    void setEditorFont(const QString& description); ///< of all; see editorFontOf()
    const QString& editorFont() const { return m_editorFont; }
    void showNext(int direction); ///< the tab to the right (+1) or left (-1), around the end

    /// Path -> caret line, caret column, first line shown; for the next session.
    QVariantMap views() const;
    void restoreViews(const QVariantMap& views);

    /// Asks where the page holds unsaved changes; false where the user wants to stay.
    bool close(RecipePage* page);
    bool closeAll(); ///< for leaving: keeps the pages, asks once for each unsaved one
    void keepUnsaved(); ///< for leaving unasked: waits until it can be offered next time
    void setCheckContext(const CheckContext& context);

Q_SIGNALS:
    void currentChanged();
    void pathsChanged();
    // Of the current page.
    void checked();
    void caretMoved(earwright::recipe::Position caret);
    void usagesFound(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    /// Of the page whose usages were found last.
    void usagesChanged(const QString& name, const std::vector<earwright::ui::Usage>& usages);
    void openWanted(const QString& path, earwright::recipe::Position place);

private:
    enum class Leave { No, Saving, Discarding };
    /// Asks; the page may be gone afterwards.
    Leave mayLeave(RecipePage* page);
    void remove(RecipePage* page);
    void nameTab(RecipePage* page);
    void connectPage(RecipePage* page);

    CheckContext m_context;
    bool m_isFormShown = false;
    QString m_editorFont;
    QStackedWidget* m_stack;
    QTabWidget* m_tabs;
};

} // namespace earwright::ui
