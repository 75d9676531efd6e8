#pragma once

#include "tests/engine/program.h"

namespace earwright::tests {

/// Columns of a test whose rows are command lines that are refused.
inline void addRefusalColumns()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
}

/// `said`: a part of what goes to standard error.
inline void row(const char* name, const QStringList& words, int code, const char* said)
{
    QTest::newRow(name) << words << code << QString(said);
}

/// Runs the row's command line.
inline void verifyRefusal()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Ended ended = runEarwright(words);
    QCOMPARE(ended.code, code);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
}

} // namespace earwright::tests
