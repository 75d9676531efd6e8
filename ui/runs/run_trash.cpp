#include "ui/runs/run_trash.h"

#include "core/run/run_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace earwright::ui {
namespace {

QString trashText(const char* text)
{
    return QCoreApplication::translate("RunTrash", text);
}

/// Beside the files of a trash (freedesktop.org, "Trash specification" 1.0) lies what tells of
/// each.
QString infoOf(const QString& inTrash)
{
    const QFileInfo file(inTrash);
    return QDir(file.path() + QStringLiteral("/../info"))
        .filePath(file.fileName() + QStringLiteral(".trashinfo"));
}

} // namespace

Trashing moveToTrash(const QStringList& runPaths)
{
    Trashing result;
    for (const QString& path : runPaths) {
        if (run::liveLock(run::RunFolder { std::filesystem::path(path.toStdU16String()) })) {
            result.error = trashText(
                QT_TRANSLATE_NOOP("RunTrash", "'%1' is at work; stop it before you delete it"))
                               .arg(path);
            return result;
        }
        QString inTrash;
        if (!QFile::moveToTrash(path, &inTrash)) {
            result.error
                = trashText(QT_TRANSLATE_NOOP("RunTrash",
                                "cannot move '%1' to the trash; its disk may have none, or not be "
                                "writable. The run is as it was"))
                      .arg(path);
            return result;
        }
        result.done.push_back({ path, inTrash });
    }
    return result;
}

QString takeFromTrash(const std::vector<Trashed>& trashed)
{
    for (const Trashed& run : trashed) {
        if (QFileInfo::exists(run.from))
            return trashText(QT_TRANSLATE_NOOP("RunTrash",
                                 "'%1' is there again; move it elsewhere to get the deleted one "
                                 "back"))
                .arg(run.from);
        if (run.to.isEmpty() || !QDir().rename(run.to, run.from))
            return trashText(
                QT_TRANSLATE_NOOP("RunTrash", "cannot take '%1' from the trash; look for it there"))
                .arg(run.from);
        QFile::remove(infoOf(run.to));
    }
    return {};
}

} // namespace earwright::ui
