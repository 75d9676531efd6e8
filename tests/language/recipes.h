#pragma once

#include <QDir>
#include <QDirIterator>
#include <QTest>

/// Whole recipes for properties that hold of every one: our own and, where EARWRIGHT_RECIPES_DIR
/// names a folder with upstream/, SpeechBrain's.
namespace earwright::language::test {

inline QStringList recipeFiles()
{
    QStringList folders { QString(EARWRIGHT_CASES_DIR) + "/language/recipes",
        QString(EARWRIGHT_SOURCE_DIR) + "/configs" };
    if (qEnvironmentVariableIsSet("EARWRIGHT_RECIPES_DIR"))
        folders << qEnvironmentVariable("EARWRIGHT_RECIPES_DIR") + "/upstream";
    else
        qWarning("EARWRIGHT_RECIPES_DIR is not set: SpeechBrain's own recipes are left out");
    QStringList files;
    for (const QString& folder : folders) {
        QDirIterator found(folder, { "*.yaml" }, QDir::Files, QDirIterator::Subdirectories);
        while (found.hasNext())
            files << found.next();
    }
    files.sort();
    return files;
}

inline void addRecipeRows()
{
    QTest::addColumn<QString>("file");
    for (const QString& file : recipeFiles()) {
        const QString name = file.section('/', -5);
        QTest::newRow(qPrintable(name)) << file;
    }
}

} // namespace earwright::language::test
