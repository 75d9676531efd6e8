#include "ui/editor/recipe_file.h"

#include "core/base/file.h"
#include "ui/editor/file_watch.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QtConcurrentRun>

namespace kymo::ui {
namespace {

constexpr int kAbsenceMs = 500;

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
    , m_watch(new FileWatch)
{
    connect(m_watch, &FileWatch::changed, this, &RecipeFile::onFileChanged);
    m_absence.setSingleShot(true);
    connect(&m_absence, &QTimer::timeout, this, &RecipeFile::lookAgain);
}

RecipeFile::~RecipeFile()
{
    m_watch->deleteLater();
}

void RecipeFile::setPath(const QString& path)
{
    m_watch->watch({});
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
        m_watch->watch(m_path);
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
        m_watch->watch(m_path);
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

void RecipeFile::onFileChanged()
{
    QtConcurrent::run(readText, m_path).then(this, [this, known = m_known](const ReadText& read) {
        if (m_known != known)
            return onFileChanged(); // saved while it was read: that was the text before
        m_watch->watch(m_path);
        if (!read.error.isEmpty())
            m_absence.start(kAbsenceMs);
        else if (read.text != m_known)
            Q_EMIT changedOnDisk(m_known = read.text);
    });
}

void RecipeFile::lookAgain()
{
    QtConcurrent::run(readText, m_path).then(this, [this](const ReadText& read) {
        m_watch->watch(m_path);
        if (!read.error.isEmpty())
            Q_EMIT vanished();
        else if (read.text != m_known)
            Q_EMIT changedOnDisk(m_known = read.text);
    });
}

} // namespace kymo::ui
