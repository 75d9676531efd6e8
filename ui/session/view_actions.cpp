#include "ui/compare/compare_page.h"
#include "ui/launch/translated.h"
#include "ui/monitor/monitor_page.h"
#include "ui/session/about_box.h"
#include "ui/session/command_palette.h"
#include "ui/session/help_dialog.h"
#include "ui/session/shortcuts_dialog.h"
#include "ui/session/window_actions.h"
#include "ui/session/window_controllers.h"
#include "ui/utterances/utterances_page.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/theme.h"

#include <QActionGroup>
#include <QMainWindow>

#include <algorithm>
#include <array>

namespace earwright::ui {
namespace {

void addRunViews(const WindowParts& parts)
{
    const auto add = [&parts](const char* id, const QString& text, MonitorPage::View view) {
        parts.actions->add(id, text, "", {}, [&parts, view] {
            parts.pages->showPage(MonitorPageIndex);
            parts.monitor->showView(view);
        });
    };
    add("view.curves", translated("C&urves of the Run"), MonitorPage::Curves);
    add("view.evaluations", translated("&Evaluations of the Run"), MonitorPage::Evaluations);
    add("view.hotwords", translated("&Hotwords of the Run"), MonitorPage::Hotwords);
}

struct ThemeRow {
    ThemeMode mode;
    const char* id;
    const char* text;
};
constexpr std::array kThemeTable {
    ThemeRow { ThemeMode::Auto, "view.theme.auto", QT_TRANSLATE_NOOP("earwright", "Theme: &Auto") },
    ThemeRow {
        ThemeMode::Light, "view.theme.light", QT_TRANSLATE_NOOP("earwright", "Theme: &Light") },
    ThemeRow { ThemeMode::Dark, "view.theme.dark", QT_TRANSLATE_NOOP("earwright", "Theme: &Dark") },
};

void addThemes(const WindowParts& parts)
{
    auto* themes = new QActionGroup(parts.actions);
    for (const ThemeRow& row : kThemeTable) {
        QAction* made = parts.actions->add(row.id, translated(row.text), "", {},
            [&parts, mode = row.mode] { parts.theme.setMode(mode); });
        made->setCheckable(true);
        themes->addAction(made);
    }
}

/// The dialog of this kind that is there comes forward: else each key press would make another.
template <class Dialog, class... Of>
void showOnly(QMainWindow& window, const Of&... of)
{
    auto* dialog = window.findChild<Dialog*>();
    if (!dialog)
        dialog = new Dialog(of..., &window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void showPalette(const WindowParts& parts)
{
    QMainWindow& window = parts.window;
    auto* palette = new CommandPalette(*parts.actions->registry(), &window);
    palette->move(window.mapToGlobal(QPoint((window.width() - palette->width()) / 2, 80)));
    palette->show();
}

/// Of the page in front; null where it has none.
PlotBoard* plotsInFront(const WindowParts& parts, const RunSelection& selection)
{
    if (parts.pages->isInFront(MonitorPageIndex) && !selection.current().isEmpty())
        return parts.monitor->board();
    const bool isCompared
        = parts.pages->isInFront(ComparePageIndex) && !selection.compared().isEmpty();
    return isCompared ? parts.compare->board() : nullptr;
}

} // namespace

const char* themeActionOf(ThemeMode mode)
{
    const auto* row = std::ranges::find(kThemeTable, mode, &ThemeRow::mode);
    return row == kThemeTable.end() ? kThemeTable.front().id : row->id;
}

void addViewActions(WindowParts& parts, const ControllersPtr& c)
{
    WindowActions& actions = *parts.actions;
    WindowPages::addActions(parts);
    addRunViews(parts);
    actions.add("view.runs", translated("Go to the List of Ru&ns"), "",
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), [&c] { c->runs.goToList(); });
    addThemes(parts);
    actions
        .add("view.palette", translated("&Find an Action…"), "edit-find",
            QKeySequence(Qt::CTRL | Qt::Key_K), [&parts] { showPalette(parts); })
        ->setIconText(translated("Find…")); // the tool bar fits into 1024 pixels
    actions.add("help.docs", translated("&Read the Help"), "help-contents",
        QKeySequence(Qt::Key_F1), [&parts] { showOnly<HelpDialog>(parts.window); });
    actions.add("help.shortcuts", translated("&Keyboard Shortcuts"), "configure-shortcuts",
        QKeySequence(Qt::CTRL | Qt::Key_F1),
        [&parts] { showOnly<ShortcutsDialog>(parts.window, *parts.actions->registry()); });
    actions.add("help.about", translated("&About Earwright"), "dialog-information", {},
        [&parts] { showAboutBox(parts.window); });
}

/// They wait in their page; space is the table's alone, as others write with it.
void addUtteranceActions(const WindowParts& parts)
{
    WindowActions& actions = *parts.actions;
    actions
        .add("utterance.play", translated("&Play the Utterance"), "media-playback-start",
            QKeySequence(Qt::Key_Space), [&parts] { parts.utterances->togglePlaying(); })
        ->setShortcutContext(Qt::WidgetShortcut);
    actions.add("utterance.next", translated("Ne&xt Utterance"), "go-down",
        QKeySequence(Qt::ALT | Qt::Key_PageDown), [&parts] { parts.utterances->goToNext(1); });
    actions.add("utterance.previous", translated("Pre&vious Utterance"), "go-up",
        QKeySequence(Qt::ALT | Qt::Key_PageUp), [&parts] { parts.utterances->goToNext(-1); });
    actions.add("utterance.filter", translated("F&ilter the Utterances"), "view-filter",
        QKeySequence(Qt::CTRL | Qt::Key_L), [&parts] { parts.utterances->goToFilter(); });
    actions.add("utterance.export", translated("Export the &Shown Utterances…"), "document-export",
        {}, [&parts] { parts.utterances->openExport(); });
    QAction* const manifest = actions.add(
        "utterance.manifest", translated("Loo&k at a Manifest…"), "document-open", {}, [&parts] {
            parts.pages->openPage(UtterancesPageIndex);
            parts.utterances->openManifest();
        });
    manifest->setIconText(translated("A Manifest…")); // three buttons fit into a small window
    actions.enableWhen({ "utterance.play", "utterance.next", "utterance.previous",
                           "utterance.filter", "utterance.export" },
        [&parts] { return parts.pages->isInFront(UtterancesPageIndex); });
}

void addPlotActions(const WindowParts& parts, const ControllersPtr& c)
{
    WindowActions& actions = *parts.actions;
    actions.add("file.export", translated("&Export the Plots…"), "document-export", {}, [&parts] {
        if (parts.pages->isInFront(ComparePageIndex))
            parts.compare->openExport();
        else
            parts.monitor->exportPlots();
    });
    actions.add("view.resetZoom", translated("Reset the &Zoom of the Plots"), "zoom-original", {},
        [&parts, &c] {
            if (PlotBoard* plots = plotsInFront(parts, c->selection))
                plots->resetZoom();
        });
    actions
        .add("view.plotsAlone", translated("Sho&w the Plots Alone"), "view-fullscreen",
            QKeySequence(Qt::Key_F11), [&c] { c->layout.setAlone(!c->layout.isAlone()); })
        ->setCheckable(true);
    actions.enableWhen({ "view.plotsAlone" }, [&parts, &c] {
        return plotsInFront(parts, c->selection) != nullptr || c->layout.isAlone();
    });
    actions.enableWhen({ "file.export", "view.resetZoom" },
        [&parts, &c] { return plotsInFront(parts, c->selection) != nullptr; });
}

} // namespace earwright::ui
