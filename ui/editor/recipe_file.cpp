#include "ui/editor/recipe_file.h"

#include "core/base/file.h"
#include "core/data/prepare/text_file.h"
#include "ui/editor/file_watch.h"
#include "ui/widgets/when_done.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QtConcurrentRun>

namespace earwright::ui {
namespace {

constexpr int kAbsenceMs = 500; ///< some programs remove a file to write it anew
constexpr int kReturnMs = 2000; ///< what is not there cannot be watched

} // namespace

RecipeFile::RecipeFile(const QString& path, QObject* parent)
    : QObject(parent)
    , m_path(path)
    , m_watch(new FileWatch)
{
    connect(m_watch, &FileWatch::changed, this, qOverload<>(&RecipeFile::look));
    m_nextLook.setSingleShot(true);
    connect(&m_nextLook, &QTimer::timeout, this, [this] { look(true); });
}

RecipeFile::~RecipeFile()
{
    m_watch->deleteLater();
}

/// Bytes that are no UTF-8 would come back from an editor as other bytes.
RecipeFile::OnDisk RecipeFile::read(const QString& path)
{
    const std::filesystem::path file(path.toStdU16String());
    const Result<std::string> bytes = readFile(file);
    if (!bytes)
        return { {}, QString::fromStdString(bytes.error().message), QFileInfo::exists(path) };
    if (const Status utf8 = data::checkText(*bytes, file); !utf8)
        return { {}, QString::fromStdString(utf8.error().message) };
    return { QString::fromStdString(*bytes), {} };
}

RecipeFile::Outcome RecipeFile::write(const Write& write)
{
    // A watch tells a moment late, and of a network's disk never.
    const OnDisk disk = write.mayReplaceAll ? OnDisk { .isThere = false } : read(write.path);
    if (disk.isThere && (!disk.error.isEmpty() || disk.text != write.known))
        return { {}, disk };
    QDir().mkpath(QFileInfo(write.path).absolutePath());
    QSaveFile file(write.path);
    if (file.open(QIODevice::WriteOnly) && file.write(write.text.toUtf8()) >= 0 && file.commit())
        return {};
    return { QCoreApplication::translate("earwright", "Cannot save '%1': %2")
                 .arg(write.path, file.errorString()),
        {} };
}

void RecipeFile::load()
{
    whenDone(QtConcurrent::run(read, m_path), this, [this](const OnDisk& disk) {
        if (!disk.error.isEmpty()) {
            Q_EMIT unreadable(disk.error);
            return;
        }
        accept(disk.text);
        m_watch->watch(m_path);
        Q_EMIT loaded(disk.text);
    });
}

void RecipeFile::accept(const QString& text)
{
    m_known = text;
    m_told.reset();
}

void RecipeFile::save(const QString& text)
{
    // Behind a "save as" that is not written yet: into that file too.
    const std::optional<Write>& before = m_next ? m_next : m_writing;
    begin({ before ? before->path : m_path, text, {}, before && before->path != m_path });
}

void RecipeFile::overwrite(const QString& text)
{
    begin({ m_path, text, {}, true });
}

void RecipeFile::saveAs(const QString& path, const QString& text)
{
    begin({ path, text, {}, path != m_path });
}

void RecipeFile::begin(Write next)
{
    if (m_writing) {
        m_next = std::move(next);
        return;
    }
    next.known = m_known;
    m_writing = std::move(next);
    m_outcome = QtConcurrent::run(write, *m_writing);
    whenDone(m_outcome, this, [this, number = ++m_numWrites](const Outcome& outcome) {
        if (number == m_numWrites) // else taken by saveAndWait()
            onWritten(outcome);
    });
}

void RecipeFile::onWritten(const Outcome& outcome)
{
    const Write written = *std::exchange(m_writing, std::nullopt);
    take(written, outcome);
    if (m_next)
        return begin(*std::exchange(m_next, std::nullopt));
    tellOutcome(written, outcome);
    look(); // what was seen while it was written is not known to be another's
}

void RecipeFile::take(const Write& written, const Outcome& outcome)
{
    if (!outcome.error.isEmpty() || outcome.inTheWay)
        return;
    accept(written.text);
    if (written.path == m_path)
        return;
    m_path = written.path;
    Q_EMIT pathChanged();
}

bool RecipeFile::tellOutcome(const Write& written, const Outcome& outcome)
{
    if (outcome.inTheWay)
        tell(*outcome.inTheWay);
    else if (!outcome.error.isEmpty())
        Q_EMIT notSaved(written.path, outcome.error);
    else
        Q_EMIT saved(written.text);
    return !outcome.inTheWay && outcome.error.isEmpty();
}

bool RecipeFile::saveAndWait(const QString& text)
{
    m_next.reset();
    ++m_numWrites;
    if (m_writing)
        take(*std::exchange(m_writing, std::nullopt), m_outcome.result());
    const Write last { m_path, text, m_known };
    const Outcome outcome = write(last);
    take(last, outcome);
    return tellOutcome(last, outcome);
}

void RecipeFile::look(bool isAgain)
{
    const int number = ++m_numLooks; // of two in a row the earlier may have seen less
    whenDone(QtConcurrent::run(read, m_path), this,
        [this, isAgain, number, known = m_known](const OnDisk& disk) {
            if (m_writing || number != m_numLooks)
                return; // another look comes
            if (m_known != known)
                return look(isAgain);
            m_watch->watch(m_path, disk.isThere);
            if (!disk.error.isEmpty())
                m_nextLook.start(isAgain ? kReturnMs : kAbsenceMs);
            if (disk.error.isEmpty() || isAgain)
                compare(disk);
        });
}

void RecipeFile::compare(const OnDisk& disk)
{
    const bool isKnown = disk.error.isEmpty() && disk.text == m_known;
    if (isKnown && std::exchange(m_told, std::nullopt))
        Q_EMIT restored();
    if (!isKnown && disk != m_told)
        tell(disk);
}

void RecipeFile::tell(const OnDisk& disk)
{
    m_told = disk;
    if (!disk.isThere)
        Q_EMIT vanished();
    else if (!disk.error.isEmpty())
        Q_EMIT spoilt(disk.error);
    else
        Q_EMIT changedOnDisk(disk.text);
}

} // namespace earwright::ui
