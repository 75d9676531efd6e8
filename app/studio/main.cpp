#include "ui/session/main_window.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <clocale>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QSettings>

namespace {

struct Arguments {
    QStringList recipes;
    QString runsDir;
};

Arguments readArguments(const QApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Edit, check, train and watch speech-recognition recipes."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption runsDir(QStringLiteral("runs-dir"),
        QCoreApplication::translate("main", "Folder that holds the runs (default: the last one, else $KYMO_RUNS_DIR, else ./runs)."),
        QStringLiteral("DIR"));
    parser.addOption(runsDir);
    parser.addPositionalArgument(
        QStringLiteral("RECIPE"), QCoreApplication::translate("main", "Recipes to open."), QStringLiteral("[RECIPE…]"));
    parser.process(application);
    return { parser.positionalArguments(), parser.value(runsDir) };
}

void nameApplication()
{
    QApplication::setApplicationName(QStringLiteral("kymo-studio"));
    QApplication::setApplicationDisplayName(QStringLiteral("Kymo Studio"));
    QApplication::setOrganizationName(QStringLiteral("kymo"));
    QApplication::setApplicationVersion(QStringLiteral(KYMO_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.kymo.studio"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
}

} // namespace

int main(int argc, char** argv)
{
    nameApplication();
    QApplication application(argc, argv);
    // QApplication takes the user's locale: under a German one strtod("0.5") would be 0.
    std::setlocale(LC_NUMERIC, "C");
    const Arguments arguments = readArguments(application);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/kymo/icons/kymo.svg")));
    kymo::ui::Theme theme;
    kymo::ui::SessionState state = kymo::ui::loadSessionState();
    if (!arguments.runsDir.isEmpty())
        state.runsRoot = QDir::current().absoluteFilePath(arguments.runsDir);
    kymo::ui::MainWindow window(theme, state);
    for (const QString& recipe : arguments.recipes)
        window.openRecipe(recipe);
    window.show();
    return QApplication::exec();
}
