#include "ui/editor/swap_file.h"

#include "core/base/file.h"

#include <cerrno>
#include <csignal>
#include <optional>
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QtConcurrentRun>
#include <QThreadPool>

namespace kymo::ui {
namespace {

constexpr int kDelayMs = 3000;

/// One thread: a removal never overtakes the write before it.
QThreadPool& diskThread()
{
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}

// A swap file is three lines and the text: what it is, the process that wrote it, the recipe.
constexpr const char* kHead = "kymo swap file 1\n";

void writeSwap(const QString& recipePath, const QString& text)
{
    const QString path = SwapFile::pathFor(recipePath);
    QDir().mkpath(QFileInfo(path).path());
    const QByteArray bytes = kHead + QByteArray::number(QCoreApplication::applicationPid()) + '\n'
        + recipePath.toUtf8() + '\n' + text.toUtf8();
    // A disk too full for a copy is no reason to stop the user: saving will say so.
    (void)writeFileAtomically(
        path.toStdString(), { bytes.constData(), static_cast<size_t>(bytes.size()) });
}

bool isRunning(qint64 pid)
{
    return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

/// The text of a swap file that nobody is at work on.
std::optional<QString> readSwap(const QString& recipePath)
{
    const Result<std::string> read = readFile(SwapFile::pathFor(recipePath).toStdString());
    if (!read)
        return std::nullopt;
    QByteArray bytes = QByteArray::fromStdString(*read);
    if (!bytes.startsWith(kHead))
        return std::nullopt;
    bytes.remove(0, static_cast<qsizetype>(qstrlen(kHead)));
    const qsizetype pidEnd = bytes.indexOf('\n');
    const qsizetype pathEnd = bytes.indexOf('\n', pidEnd + 1);
    const qint64 pid = bytes.first(std::max<qsizetype>(pidEnd, 0)).toLongLong();
    const bool isOthers = pid != QCoreApplication::applicationPid() && isRunning(pid);
    if (pathEnd < 0 || isOthers)
        return std::nullopt;
    return QString::fromUtf8(bytes.sliced(pathEnd + 1));
}

} // namespace

SwapFile::SwapFile(const QString& recipePath, std::function<QString()> text, QObject* parent)
    : QObject(parent)
    , m_recipePath(recipePath)
    , m_text(std::move(text))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &SwapFile::write);
}

QString SwapFile::pathFor(const QString& recipePath)
{
    const QByteArray name
        = QCryptographicHash::hash(recipePath.toUtf8(), QCryptographicHash::Sha1).toHex();
    return QStringLiteral("%1/swap/%2")
        .arg(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation),
            QString::fromLatin1(name));
}

void SwapFile::setRecipePath(const QString& path)
{
    if (path == m_recipePath)
        return;
    remove();
    m_recipePath = path;
}

void SwapFile::schedule()
{
    if (!m_timer.isActive())
        m_timer.start();
}

void SwapFile::write()
{
    QtConcurrent::run(&diskThread(), writeSwap, m_recipePath, m_text()).then(this, [this] {
        Q_EMIT written();
    });
}

void SwapFile::remove()
{
    m_timer.stop();
    diskThread().start([path = pathFor(m_recipePath)] { QFile::remove(path); });
}

void SwapFile::lookUp()
{
    QtConcurrent::run(&diskThread(), readSwap, m_recipePath)
        .then(this, [this](const std::optional<QString>& text) {
            if (text)
                Q_EMIT found(*text);
        });
}

} // namespace kymo::ui
