#include "ui/editor/recipe_file.h"

#include "core/base/file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QtConcurrentRun>

namespace kymo::ui {
namespace {

struct ReadText {
    QString text;
    QString error;
};

ReadText readText(const QString& path)
{
    const Result<std::string> bytes = readFile(std::filesystem::path(path.toStdU16String()));
    if (!bytes)
        return { {}, QString::fromStdString(bytes.error().message) };
    return { QString::fromStdString(*bytes), {} };
}

/// "" = written.
QString writeText(const QString& path, const QString& text)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0 && file.commit())
        return {};
    return QCoreApplication::translate("kymo", "Cannot save '%1': %2")
        .arg(path, file.errorString());
}

} // namespace

RecipeFile::RecipeFile(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(path)
{
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &RecipeFile::onFileChanged);
}

void RecipeFile::setPath(const QString& path)
{
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    m_path = path;
}

void RecipeFile::load()
{
    QtConcurrent::run(readText, m_path).then(this, [this](const ReadText& read) {
        if (!read.error.isEmpty()) {
            Q_EMIT failed(read.error);
            return;
        }
        m_known = read.text;
        watchAgain();
        Q_EMIT loaded(read.text);
    });
}

void RecipeFile::save(const QString& text)
{
    QtConcurrent::run(writeText, m_path, text).then(this, [this, text](const QString& error) {
        if (!error.isEmpty()) {
            Q_EMIT failed(error);
            return;
        }
        m_known = text;
        watchAgain();
        Q_EMIT saved(text);
    });
}

bool RecipeFile::saveAndWait(const QString& text)
{
    const QString error = writeText(m_path, text);
    if (!error.isEmpty())
        Q_EMIT failed(error);
    return error.isEmpty();
}

void RecipeFile::watchAgain()
{
    // A file replaced by renaming is a new inode: the watch on the old one is dead.
    if (!m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path);
}

void RecipeFile::onFileChanged()
{
    QtConcurrent::run(readText, m_path).then(this, [this](const ReadText& read) {
        watchAgain();
        if (!read.error.isEmpty() || read.text == m_known)
            return;
        m_known = read.text;
        Q_EMIT changedOnDisk(read.text);
    });
}

} // namespace kymo::ui
