#include "ui/session/window_pages.h"

#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/runs_page.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_parts.h"
#include "ui/utterances/utterances_page.h"

#include <array>
#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>
#include <QPushButton>

namespace earwright::ui {
namespace {

struct PageRow {
    const char* action;
    const char* text;
    const char* icon;
    Qt::Key key; ///< with Ctrl
    QDockWidget* WindowParts::*dock; ///< comes to the front with it; null = none
    QWidget* (*make)(WindowParts& parts, QWidget* parent);
};

/// In the order of WindowPage.
const std::array kPageTable {
    PageRow { "view.recipe", QT_TRANSLATE_NOOP("earwright::ui::WindowPages", "&Recipe"),
        "document-edit", Qt::Key_1, &WindowParts::problemsDock,
        [](WindowParts& parts, QWidget* parent) -> QWidget* {
            const auto empty = parts.actions->find({ "file.open", "file.new" });
            return parts.recipes = new RecipeTabs(empty, parent);
        } },
    PageRow { "view.monitor", QT_TRANSLATE_NOOP("earwright::ui::WindowPages", "&Monitor"),
        "office-chart-line", Qt::Key_2, &WindowParts::logDock,
        [](WindowParts& parts, QWidget* parent) -> QWidget* {
            const auto empty = parts.actions->find({ "run.start", "file.open" });
            return parts.monitor = new MonitorPage(empty, parent);
        } },
    PageRow { "view.compare", QT_TRANSLATE_NOOP("earwright::ui::WindowPages", "&Compare"),
        "office-chart-bar", Qt::Key_3, nullptr,
        [](WindowParts& parts, QWidget* parent) -> QWidget* {
            const auto empty = parts.actions->find({ "run.compare", "run.compareSelected" });
            return parts.compare = new ComparePage(empty, parent);
        } },
    PageRow { "view.utterances", QT_TRANSLATE_NOOP("earwright::ui::WindowPages", "U&tterances"),
        "view-media-lyrics", Qt::Key_4, &WindowParts::logDock,
        [](WindowParts& parts, QWidget* parent) -> QWidget* {
            return parts.utterances = new UtterancesPage(
                       { .empty = parts.actions->find(
                             { "run.start", "file.open", "utterance.manifest" }),
                           .play = parts.actions->find("utterance.play"),
                           .ofRow = parts.actions->find({ "utterance.play", "utterance.export" }) },
                       parent);
        } },
    PageRow { "view.runTable", QT_TRANSLATE_NOOP("earwright::ui::WindowPages", "Run Table"),
        "view-list-details", Qt::Key_5, nullptr,
        [](WindowParts& parts, QWidget* parent) -> QWidget* {
            return parts.runsPage = new RunsPage(*parts.runs, parent);
        } },
};

} // namespace

WindowPages::WindowPages(WindowParts& parts, QWidget* parent)
    : QStackedWidget(parent)
    , m_parts(parts)
{
    setObjectName(QStringLiteral("pages"));
    for (const PageRow& row : kPageTable)
        addWidget(row.make(parts, this));
}

void WindowPages::addActions(WindowParts& parts)
{
    auto* group = new QActionGroup(parts.actions);
    for (size_t i = 0; i < kPageTable.size(); ++i) {
        const PageRow& row = kPageTable.at(i);
        QAction* made = parts.actions->add(row.action, tr(row.text), row.icon,
            QKeySequence(Qt::CTRL | row.key),
            [&parts, page = static_cast<WindowPage>(i)] { parts.pages->openPage(page); });
        made->setCheckable(true);
        group->addAction(made);
    }
}

QList<QAction*> WindowPages::pageActions(const WindowParts& parts)
{
    QList<QAction*> found;
    for (const PageRow& row : kPageTable)
        found << parts.actions->find(row.action);
    return found;
}

void WindowPages::showPage(WindowPage page)
{
    Q_EMIT aboutToShow(page);
    setCurrentIndex(page);
    const PageRow& row = kPageTable.at(static_cast<size_t>(currentIndex()));
    if (row.dock) // one of those tabbed below
        (m_parts.*row.dock)->raise();
    m_parts.actions->find(row.action)->setChecked(true);
    m_parts.actions->refresh();
}

void WindowPages::openPage(WindowPage page)
{
    Q_EMIT opening(page);
    showPage(page);
    focusPage();
}

/// The keyboard goes where the page in front wants it; a page that is empty has but its buttons.
void WindowPages::focusPage()
{
    QWidget* page = currentWidget();
    if (page == m_parts.recipes && m_parts.recipes->current())
        page = m_parts.recipes->current();
    if (const QWidget* wanted = page->focusProxy(); wanted && wanted->isVisible())
        return page->setFocus();
    for (QPushButton* button : page->findChildren<QPushButton*>())
        if (button->isVisible() && button->isEnabled())
            return button->setFocus();
}

} // namespace earwright::ui
