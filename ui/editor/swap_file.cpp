#include "ui/editor/swap_file.h"

#include "core/base/descriptor.h"
#include "core/base/earlier_name.h"
#include "core/base/file.h"
#include "core/run/run_folder.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QtConcurrentRun>
#include <QThreadPool>
#include <QUuid>
#include <unistd.h>

namespace earwright::ui {
namespace {

constexpr auto kUntouched = std::chrono::hours(24);

/// One thread: a removal never overtakes the write before it.
QThreadPool& diskThread()
{
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}

// A swap file is three lines and the text: what it is, the process that wrote it (its id, when it
// started, in which start of the machine and on which), the recipe.
constexpr const char* kHead = "earwright swap file 1\n";
const std::string kEarlierHead = kEarlierName + " swap file 1\n";

QByteArray ownProcess()
{
    const qint64 pid = QCoreApplication::applicationPid();
    return QByteArray::number(pid) + ' '
        + QByteArray::number(qint64 { run::processStartTicks(pid) }) + ' '
        + QByteArray::fromStdString(run::bootId()) + ' '
        + QByteArray::fromStdString(run::hostName());
}

bool isUntouched(const QFileInfo& file)
{
    return file.lastModified().addDuration(kUntouched) < QDateTime::currentDateTime();
}

/// Not where only the id is known, as earlier versions wrote it: another program may have it now.
/// Nor did they write the machine.
bool isAtWork(const QByteArray& process, const QFileInfo& file)
{
    const QList<QByteArray> words = process.split(' ');
    if (words.size() > 3 && words[3].toStdString() != run::hostName())
        return !isUntouched(file);
    if (words.size() < 3 || words[2].toStdString() != run::bootId())
        return false;
    const qint64 startTicks = words[1].toLongLong();
    return startTicks != 0 && run::processStartTicks(words[0].toLongLong()) == startTicks;
}

/// The names of a recipe's swap files begin with it.
QString beginOfNames(const QString& recipePath)
{
    return QString::fromLatin1(
        QCryptographicHash::hash(recipePath.toUtf8(), QCryptographicHash::Sha1).toHex());
}

QString freshPath(const QString& recipePath)
{
    return QStringLiteral("%1/%2-%3")
        .arg(SwapFile::folder(), beginOfNames(recipePath),
            QUuid::createUuid().toString(QUuid::Id128));
}

bool writeSwap(const QString& path, const QString& recipePath, const QString& text)
{
    QDir().mkpath(QFileInfo(path).path());
    const QByteArray bytes
        = kHead + ownProcess() + '\n' + recipePath.toUtf8() + '\n' + text.toUtf8();
    // A disk too full for a copy is no reason to stop the user: saving will say so.
    return bool(writeFileAtomically(
        path.toStdString(), { bytes.constData(), static_cast<size_t>(bytes.size()) }));
}

void removeFile(const QString& path)
{
    diskThread().start([path] { QFile::remove(path); });
}

/// Nothing of a file that its process is still at work on.
std::optional<LeftText> readLeft(const QFileInfo& file)
{
    const QString path = file.filePath();
    const Result<std::string> read = readFile(path.toStdString());
    if (!read)
        return std::nullopt;
    QByteArray bytes = QByteArray::fromStdString(*read);
    if (!bytes.startsWith(kHead) && !bytes.startsWith(kEarlierHead.c_str()))
        return std::nullopt;
    bytes.remove(0, bytes.indexOf('\n') + 1);
    const qsizetype processEnd = bytes.indexOf('\n');
    const qsizetype recipeEnd = bytes.indexOf('\n', processEnd + 1);
    if (processEnd < 0 || recipeEnd < 0 || isAtWork(bytes.first(processEnd), file))
        return std::nullopt;
    return LeftText { path,
        QString::fromUtf8(bytes.mid(processEnd + 1, recipeEnd - processEnd - 1)),
        QString::fromUtf8(bytes.sliced(recipeEnd + 1)) };
}

/// Not while it is being written, nor soon where no lock tells.
void removeUnfinished(const QFileInfo& file)
{
    const std::string path = file.filePath().toStdString();
    const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened)
        return;
    const Holder holder = tryLock(path, opened.fd());
    if (holder == Holder::Us || (holder == Holder::Unknown && isUntouched(file)))
        ::unlink(path.c_str());
}

/// Where texts may have been left: our folder, and the one of the earlier name.
QList<QDir> foldersOfLeft()
{
    const QString earlier = QString::fromStdString(kEarlierName);
    return { QDir(SwapFile::folder()),
        QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
            + QStringLiteral("/%1/%1-studio/swap").arg(earlier)) };
}

/// The latest first.
QFileInfoList filesOfLeft(const QString& names)
{
    QFileInfoList files;
    for (const QDir& folder : foldersOfLeft()) {
        for (const QFileInfo& file : folder.entryInfoList(
                 { QStringLiteral(".%1.*.tmp").arg(names) }, QDir::Files | QDir::Hidden))
            removeUnfinished(file);
        files += folder.entryInfoList({ names }, QDir::Files);
    }
    std::stable_sort(files.begin(), files.end(),
        [](const QFileInfo& a, const QFileInfo& b) { return a.lastModified() > b.lastModified(); });
    return files;
}

} // namespace

std::vector<LeftText> leftTexts(const QString& recipePath)
{
    const QString names
        = (recipePath.isEmpty() ? QString() : beginOfNames(recipePath)) + QLatin1Char('*');
    std::vector<LeftText> all;
    for (const QFileInfo& file : filesOfLeft(names)) {
        if (!file.suffix().isEmpty())
            continue; // half written
        if (std::optional<LeftText> left = readLeft(file))
            all.push_back(std::move(*left));
    }
    return all;
}

SwapFile::SwapFile(const QString& recipePath, std::function<QString()> text, QObject* parent)
    : QObject(parent)
    , m_recipePath(recipePath)
    , m_path(freshPath(recipePath))
    , m_text(std::move(text))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &SwapFile::write);
}

QString SwapFile::folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)
        + QStringLiteral("/swap");
}

void SwapFile::setRecipePath(const QString& path)
{
    if (path == m_recipePath)
        return;
    remove();
    m_recipePath = path;
    m_path = freshPath(path);
}

void SwapFile::schedule()
{
    if (!m_timer.isActive())
        m_timer.start();
}

void SwapFile::write()
{
    m_writesAgain = m_isWriting;
    if (m_isWriting)
        return;
    m_isWriting = true;
    whenDone(QtConcurrent::run(&diskThread(), writeSwap, m_path, m_recipePath, m_text()), this,
        [this](bool) {
            m_isWriting = false;
            if (m_writesAgain)
                write();
            Q_EMIT written();
        });
}

void SwapFile::writeAndWait()
{
    m_timer.stop();
    m_isWriting = false;
    write();
    diskThread().waitForDone();
}

void SwapFile::remove()
{
    m_timer.stop();
    m_writesAgain = false;
    removeFile(m_path);
}

void SwapFile::lookUp()
{
    whenDone(QtConcurrent::run(&diskThread(), leftTexts, m_recipePath), this,
        [this](const std::vector<LeftText>& all) {
            const auto left = std::find_if(all.begin(), all.end(),
                [this](const LeftText& one) { return !m_answered.contains(one.file); });
            if (left != all.end())
                Q_EMIT found(*left);
        });
}

void SwapFile::takeOver(const QString& leftFile)
{
    m_timer.stop();
    m_writesAgain = false;
    m_answered << leftFile;
    diskThread().start([path = m_path, recipe = m_recipePath, text = m_text(), leftFile] {
        if (writeSwap(path, recipe, text))
            QFile::remove(leftFile);
    });
}

void SwapFile::discard(const QString& leftFile)
{
    m_answered << leftFile;
    removeFile(leftFile);
}

} // namespace earwright::ui
