#include "ui/compare/report.h"
#include "ui/session/main_window.h"
#include "ui/session/quit_signals.h"
#include "ui/session/start_mark.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <clocale>
#include <cstdio>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QSettings>

namespace {

struct Arguments {
    QStringList files; ///< of a report: run folders
    QString runsDir;
    QString report;
};

QString translated(const char* text)
{
    return QCoreApplication::translate("main", text);
}

Arguments readArguments(const QApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        translated("Edit, check, train and watch speech-recognition recipes."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption runsDir(QStringLiteral("runs-dir"),
        translated(
            "Folder that holds the runs (default: the last one, else $EARWRIGHT_RUNS_DIR, else "
            "./runs)."),
        QStringLiteral("DIR"));
    const QCommandLineOption report(QStringLiteral("report"),
        translated("Write a comparison of RUN_DIR… as a picture (.png, .pdf, .svg) and leave; "
                   "needs no display."),
        QStringLiteral("FILE"));
    parser.addOptions({ runsDir, report });
    parser.addPositionalArgument(QStringLiteral("FILE"),
        translated("Recipes, capsules of earwright export and folders of runs to open."),
        QStringLiteral("[RECIPE… | CAPSULE… | RUN_DIR…]"));
    parser.process(application);
    return { parser.positionalArguments(), parser.value(runsDir), parser.value(report) };
}

void nameApplication()
{
    QApplication::setApplicationName(QStringLiteral("earwright-studio"));
    QApplication::setApplicationDisplayName(QStringLiteral("Earwright Studio"));
    QApplication::setOrganizationName(QStringLiteral("earwright"));
    QApplication::setApplicationVersion(QStringLiteral(EARWRIGHT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.earwright.Studio"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
}

/// Neither a display nor another platform chosen. A report and --help need none, so the offscreen
/// platform serves them.
bool isWithoutDisplay()
{
    const bool hasDisplay
        = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    return !hasDisplay && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

int showWindow(const Arguments& arguments)
{
    QApplication::setWindowIcon(earwright::ui::ownIcon(QStringLiteral("earwright")));
    earwright::ui::Theme theme;
    earwright::ui::SessionStart start
        = earwright::ui::loadSessionStart(earwright::ui::StartMark::begin());
    if (!arguments.runsDir.isEmpty())
        start.state.runsRoot = QDir::current().absoluteFilePath(arguments.runsDir);
    earwright::ui::MainWindow window(theme, start.state);
    window.beginWith(start);
    for (const QString& file : arguments.files)
        window.openFile(file);
    // No questions: whoever sends a signal waits for no answer.
    const earwright::ui::QuitSignals quitSignals;
    QObject::connect(&quitSignals, &earwright::ui::QuitSignals::received, &window, [&window] {
        window.keepForNextTime();
        QApplication::exit();
    });
    window.show();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    nameApplication();
    const bool noDisplay = isWithoutDisplay();
    if (noDisplay)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    // QApplication takes the user's locale: under a German one strtod("0.5") would be 0.
    std::setlocale(LC_NUMERIC, "C");
    const Arguments arguments = readArguments(application);
    if (!arguments.report.isEmpty())
        return earwright::ui::runReport(arguments.report, arguments.files);
    if (noDisplay) {
        std::fprintf(stderr,
            "earwright-studio: there is no display. 'earwright train RECIPE' trains without a "
            "window; "
            "--report FILE paints a report.\n");
        return 2;
    }
    return showWindow(arguments);
}
