#include "ui/launch/earwright_program.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace earwright::ui {

QString earwrightProgram()
{
    const QString named = qEnvironmentVariable("EARWRIGHT_BINARY");
    if (!named.isEmpty())
        return named;
    const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/earwright");
    if (QFileInfo(beside).isExecutable())
        return beside;
    return QStandardPaths::findExecutable(QStringLiteral("earwright"));
}

QString noProgramMessage()
{
    return QCoreApplication::translate("earwright",
        "The program 'earwright' is neither beside the window nor in PATH: build it, or name it in "
        "EARWRIGHT_BINARY.");
}

} // namespace earwright::ui
