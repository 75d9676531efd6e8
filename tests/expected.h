#pragma once

#include "tests/files.h"

/// `file`, NAME.expected, holds what the user would see. EARWRIGHT_UPDATE_CASES=1 writes it anew,
/// to be read before it is kept.
inline void compareWithFile(const QString& text, const QString& file)
{
    if (qEnvironmentVariableIsSet("EARWRIGHT_UPDATE_CASES"))
        writeFile(file, text.toUtf8());
    const QString advice = "'%1' is not there: look at what EARWRIGHT_UPDATE_CASES=1 writes";
    QVERIFY2(QFile::exists(file), qPrintable(advice.arg(file)));
    QCOMPARE(text, QString::fromUtf8(bytesOf(file)));
}
