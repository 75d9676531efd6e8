#include "ui/launch/kymo_program.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace kymo::ui {

QString kymoProgram()
{
    const QString named = qEnvironmentVariable("KYMO_BINARY");
    if (!named.isEmpty())
        return named;
    const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/kymo");
    if (QFileInfo(beside).isExecutable())
        return beside;
    return QStandardPaths::findExecutable(QStringLiteral("kymo"));
}

QString noProgramMessage()
{
    return QCoreApplication::translate("kymo",
        "The program 'kymo' is neither beside the window nor in PATH: build it, or name it in "
        "KYMO_BINARY.");
}

} // namespace kymo::ui
