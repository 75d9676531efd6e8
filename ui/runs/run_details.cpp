#include "ui/runs/run_details.h"

#include "ui/runs/run_list_model.h"
#include "ui/widgets/when_done.h"

#include <filesystem>
#include <QtConcurrentRun>
#include <sys/stat.h>

namespace earwright::ui {
namespace {

constexpr size_t kRunsAtATime = 64;
constexpr qint64 kBlockBytes = 512; ///< of st_blocks

DetailsByPath detailsOf(const QStringList& paths)
{
    DetailsByPath details;
    for (const QString& path : paths) {
        const std::filesystem::path folder(path.toStdU16String());
        RunDetails found { .bytes = bytesOnDisk(folder) };
        if (Result<run::RunSettings> settings = run::readSettings(run::RunFolder { folder }))
            found.settings = std::move(*settings);
        details.insert(path, std::move(found));
    }
    return details;
}

QString stampOf(const run::RunSummary& summary)
{
    return QStringLiteral("%1 %2").arg(static_cast<int>(summary.state)).arg(summary.epoch);
}

} // namespace

qint64 bytesOnDisk(const std::filesystem::path& folder)
{
    namespace fs = std::filesystem;
    qint64 bytes = 0;
    std::error_code error;
    fs::recursive_directory_iterator entry(
        folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        struct stat status { };
        if (::lstat(entry->path().c_str(), &status) == 0)
            bytes += static_cast<qint64>(status.st_blocks) * kBlockBytes;
    }
    return bytes;
}

RunDetailsReader::RunDetailsReader(QObject* parent)
    : QObject(parent)
{
}

void RunDetailsReader::setRuns(const std::vector<run::RunSummary>& runs)
{
    QHash<QString, QString> known;
    m_waiting.clear();
    m_stamps.clear();
    for (const run::RunSummary& summary : runs) {
        const QString path = runPathOf(summary);
        const QString stamp = stampOf(summary);
        m_stamps.insert(path, stamp);
        const auto before = m_known.constFind(path);
        if (before != m_known.constEnd() && *before == stamp)
            known.insert(path, stamp);
        else
            m_waiting.push_back(path);
    }
    m_known = std::move(known);
    readNext();
}

void RunDetailsReader::readNext()
{
    if (m_isReading || m_waiting.empty())
        return;
    QStringList paths;
    while (!m_waiting.empty() && static_cast<size_t>(paths.size()) < kRunsAtATime) {
        paths << m_waiting.front();
        m_known.insert(paths.last(), m_stamps.value(paths.last()));
        m_waiting.pop_front();
    }
    m_isReading = true;
    whenDone(QtConcurrent::run(detailsOf, paths), this, [this](const DetailsByPath& details) {
        m_isReading = false;
        Q_EMIT read(details);
        readNext();
    });
}

} // namespace earwright::ui
