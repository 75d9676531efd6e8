#pragma once

#include "core/run/event_log.h"
#include "tests/prompts.h"
#include "tests/ui/demo_recipe.h"
#include "tests/ui/own_settings.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/launch/earwright_program.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/plot_view.h"
#include "ui/widgets/theme.h"

#include <QFileInfo>
#include <QProcess>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>

namespace earwright::ui {

constexpr int kTrainingTimeMs = 120000; ///< for what takes a second on an idle machine

/// What a training needs: the program and real speech. "" or what is missing.
inline QString missingForTraining()
{
    if (earwrightProgram().isEmpty())
        return QStringLiteral("earwright is not built (EARWRIGHT_TRAIN=OFF): no training to watch");
    if (!QFileInfo::exists(QStringLiteral("/usr/share/asterisk/sounds"))
        || !QFileInfo::exists(tests::promptTranscripts()))
        return QString::fromUtf8(tests::kNoPrompts);
    return {};
}

/// `earwright prepare prompts` into a folder; what it said where it failed.
[[nodiscard]] inline QString preparePrompts(const QString& folder)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(earwrightProgram(),
        { QStringLiteral("prepare"), QStringLiteral("prompts"), QStringLiteral("--lang"),
            QStringLiteral("en"), QStringLiteral("--transcripts"), tests::promptTranscripts(),
            QStringLiteral("--out"), folder });
    const bool isDone = process.waitForFinished(kTrainingTimeMs) && process.exitCode() == 0;
    return isDone ? QString() : QString::fromUtf8(process.readAll()) + process.errorString();
}

/// The points of one curve as the event log holds them, in order.
inline std::vector<run::Scalar> loggedPoints(const QString& runPath, const std::string& tag)
{
    run::EventReader reader(run::RunFolder { runPath.toStdString() }.events(0));
    std::vector<run::Scalar> points;
    const auto events = reader.readNew();
    if (!events)
        qFatal("%s", events.error().message.c_str());
    for (const run::Event& event : *events) {
        const auto* scalar = std::get_if<run::Scalar>(&event.payload);
        if (scalar && scalar->tag == tag)
            points.push_back(*scalar);
    }
    return points;
}

/// A window with settings of its own, in a folder that goes with it.
struct Desk {
    QTemporaryDir folder;
    Theme theme;
    std::unique_ptr<MainWindow> window;

    QString root = folder.filePath(QStringLiteral("runs"));

    explicit Desk(const QString& runsRoot = {})
    {
        if (!runsRoot.isEmpty())
            root = runsRoot;
        useOwnSettings(folder.path());
    }
    ~Desk()
    {
        const auto runs = run::listRuns(runsRoot().toStdString());
        if (!runs)
            return;
        for (const run::RunSummary& summary : *runs) {
            if (isLive(summary.state)) // a test that failed half way leaves nothing behind
                sendToSupervisor(runPathOf(summary), QStringLiteral("kill"));
        }
    }

    QString runsRoot() const { return root; }
    void open()
    {
        SessionState state = loadSessionState();
        state.runsRoot = runsRoot();
        window = std::make_unique<MainWindow>(theme, state);
        window->resize(1360, 860);
        window->show();
        if (!QTest::qWaitForWindowExposed(window.get()))
            qFatal("the window does not show");
    }
    /// Its page, once it is checked.
    RecipePage* openRecipe(const QString& path) const
    {
        window->openRecipe(path);
        RecipePage* page = window->recipes()->current();
        if (!QTest::qWaitFor([page] { return page->latestCheck() != nullptr; }, 30000))
            qFatal("'%s' is not checked", qPrintable(path));
        return page;
    }
    /// Opens the demo's recipe, with other values for some of its keys, over speech to train on.
    /// Null, and why in the test's log, where that cannot be prepared.
    RecipePage* openDemo(const QMap<QString, QString>& settings = {})
    {
        const QString data = folder.filePath(QStringLiteral("数据 of prompts"));
        if (const QString problem = preparePrompts(data); !problem.isEmpty()) {
            qWarning("earwright prepare: %s", qPrintable(problem));
            return nullptr;
        }
        open();
        return openRecipe(writeDemoRecipe(folder.path(), data, settings));
    }
    void reopen()
    {
        window.reset();
        open();
    }
    QAction* action(const char* id) const { return window->actions().find(QLatin1String(id)); }
    int page() const
    {
        return window->findChild<QStackedWidget*>(QStringLiteral("pages"))->currentIndex();
    }
    PlotView* lossPlot() const
    {
        return window->findChild<MonitorPage*>()->findChild<PlotView*>(QStringLiteral("loss"));
    }
    size_t numLossPoints() const
    {
        const std::vector<PlotCurve> curves = lossPlot()->curves();
        return curves.empty() ? 0 : curves.front().series->points().size();
    }
    run::State stateOf(const QString& runPath) const
    {
        return static_cast<run::State>(
            window->runs().indexOf(runPath).data(RunListModel::StateRole).toInt());
    }
};

} // namespace earwright::ui
