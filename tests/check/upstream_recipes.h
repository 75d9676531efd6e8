#pragma once

#include <QDirIterator>
#include <QFile>
#include <QStringList>

#include <string>

namespace earwright::tests {

/// SpeechBrain's own recipes in the folder upstream/ of EARWRIGHT_RECIPES_DIR, sorted.
inline QStringList upstreamRecipes()
{
    QStringList files;
    QDirIterator found(qEnvironmentVariable("EARWRIGHT_RECIPES_DIR") + "/upstream", { "*.yaml" },
        QDir::Files, QDirIterator::Subdirectories);
    while (found.hasNext())
        files << found.next();
    files.sort();
    return files;
}

inline std::string readRecipe(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace earwright::tests
