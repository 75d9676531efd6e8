#pragma once

#include <QDir>
#include <QMap>
#include <QRegularExpression>
#include <QString>

#include "tests/files.h"

/// A recipe with another value for one of its top-level keys.
inline QString withSetting(QString recipe, const QString& key, const QString& value)
{
    const QRegularExpression line(
        QStringLiteral("^%1: .*$").arg(key), QRegularExpression::MultilineOption);
    if (!line.match(recipe).hasMatch())
        qFatal("the recipe has no key '%s'", qPrintable(key));
    return recipe.replace(line, QStringLiteral("%1: %2").arg(key, value));
}

/// The shipped demo recipe, copied into a folder, reading its manifests from `dataFolder`, with
/// other values for some of its keys.
inline QString writeDemoRecipe(
    const QString& folder, const QString& dataFolder, const QMap<QString, QString>& settings = {})
{
    QString text = QString::fromUtf8(
        bytesOf(QStringLiteral(EARWRIGHT_SOURCE_DIR "/configs/demo/ctc_prompts_en.yaml")));
    text = withSetting(text, QStringLiteral("data_folder"), dataFolder);
    for (auto setting = settings.begin(); setting != settings.end(); ++setting)
        text = withSetting(text, setting.key(), setting.value());
    const QString path = QDir(folder).filePath(QStringLiteral("ctc_prompts_en.yaml"));
    writeFile(path, text.toUtf8());
    return path;
}

/// Manifests of one utterance each: enough for every check of a recipe.
inline void writeManifests(const QString& dataFolder)
{
    QDir().mkpath(dataFolder);
    for (const char* name : { "train.csv", "dev.csv", "test.csv" })
        writeFile(QDir(dataFolder).filePath(QLatin1String(name)),
            "ID,duration,wav,spk_id,wrd\none,1.0,one.wav,speaker,ONE\n");
}
