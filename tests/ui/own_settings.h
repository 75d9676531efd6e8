#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QSettings>

/// Settings and application data of a test lie below its folder, never in the user's home.
inline void useOwnSettings(const QString& folder)
{
    QCoreApplication::setOrganizationName(QStringLiteral("earwright-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
    qputenv("XDG_DATA_HOME", QDir(folder).filePath(QStringLiteral("share")).toLocal8Bit());
}
