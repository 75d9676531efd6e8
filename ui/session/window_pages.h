#pragma once

#include <QStackedWidget>

namespace earwright::ui {

struct WindowParts;

/// In the order of the table in window_pages.cpp, which has a row for each.
enum WindowPage {
    RecipePageIndex,
    MonitorPageIndex,
    ComparePageIndex,
    UtterancesPageIndex,
    RunsPageIndex
};

/// The pages of the window, one in front. Its table tells all of a page: its action, its keys, the
/// dock that belongs to it and how it is made. GUI thread only.
class WindowPages final : public QStackedWidget {
    Q_OBJECT
public:
    /// Sets the pages of `parts`, which must outlive this.
    WindowPages(WindowParts& parts, QWidget* parent);

    /// One action a page, checked where it is in front. They come before the pages, which offer
    /// actions.
    static void addActions(WindowParts& parts);
    static QList<QAction*> pageActions(const WindowParts& parts);

    void showPage(WindowPage page);
    /// The same, of a user who asks for it; the keyboard goes there.
    void openPage(WindowPage page);
    bool isInFront(WindowPage page) const { return currentIndex() == page; }

Q_SIGNALS:
    /// A user asks for it; what the page shows may still be chosen.
    void opening(earwright::ui::WindowPage page);
    void aboutToShow(earwright::ui::WindowPage page);

private:
    void focusPage();

    WindowParts& m_parts;
};

} // namespace earwright::ui
