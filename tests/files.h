#pragma once

#include <QFile>
#include <QTest>

/// Of a file that has to be there: the test ends where it cannot be read.
inline QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read '%s'", qPrintable(path));
    return file.readAll();
}

inline void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write '%s'", qPrintable(path));
}
