#include "ui/runs/capsules.h"

#include "core/base/earlier_name.h"
#include "core/run/run_folder.h"
#include "ui/runs/run_list_model.h"
#include "ui/widgets/path_text.h"
#include "ui/widgets/when_done.h"

#include <algorithm>
#include <optional>
#include <QtConcurrentRun>
#include <QThreadPool>

namespace earwright::ui {
namespace {

namespace fs = std::filesystem;

/// Whoever lets go of it last, its folder is removed in the thread pool, for which the application
/// waits at its end.
std::shared_ptr<const run::Capsule> shared(run::Capsule capsule)
{
    return { new run::Capsule(std::move(capsule)), [](const run::Capsule* gone) {
                QThreadPool::globalInstance()->start([gone] { delete gone; });
            } };
}

bool isMeantAsCapsule(const fs::path& file)
{
    const fs::path ending = file.extension();
    return ending == ".earwright" || ending == "." + kEarlierName || ending == ".zip"
        || run::looksLikeCapsule(file);
}

struct Found {
    std::optional<OpenCapsule> capsule; ///< none of anything else
    QString runsRoot; ///< of a folder: see Capsules::folderGiven
    QString runPath;
};

Result<Found> unpack(const QString& path)
{
    std::error_code problem; // reading it tells
    const fs::path file = fs::weakly_canonical(path.toStdU16String(), problem);
    if (run::isRunFolder(file))
        return Found { {}, pathText(file.parent_path()), pathText(file) };
    if (fs::is_directory(file, problem))
        return Found { {}, pathText(file), {} };
    if (!isMeantAsCapsule(file))
        return Found {};
    const fs::file_time_type written = fs::last_write_time(file, problem);
    Result<run::Capsule> opened = run::Capsule::open(file);
    if (!opened)
        return opened.error();
    const auto unpacked = shared(std::move(*opened));
    Result<std::vector<run::RunSummary>> runs = run::listRuns(unpacked->run().path.parent_path());
    if (!runs)
        return runs.error();
    if (runs->empty())
        return Error { "cannot open '" + file.string() + "': what it unpacked to is gone" };
    runs->front().capsule = file;
    return Found { OpenCapsule { runs->front(), written, unpacked }, {}, {} };
}

} // namespace

Capsules::Capsules(QObject* parent)
    : QObject(parent)
{
}

void Capsules::open(const QString& path)
{
    whenDone(QtConcurrent::run(unpack, path), this, [this, path](const Result<Found>& found) {
        if (!found)
            Q_EMIT failed(QString::fromStdString(found.error().message));
        else if (found->capsule)
            add(*found->capsule);
        else if (!found->runsRoot.isEmpty())
            Q_EMIT folderGiven(found->runsRoot, found->runPath);
        else
            Q_EMIT otherFileGiven(path);
    });
}

void Capsules::add(const OpenCapsule& capsule)
{
    const auto same = std::find_if(m_open.begin(), m_open.end(),
        [&](const OpenCapsule& mine) { return mine.run.capsule == capsule.run.capsule; });
    if (same != m_open.end() && same->written == capsule.written) {
        Q_EMIT opened(runPathOf(same->run));
        return;
    }
    if (same != m_open.end())
        close(runPathOf(same->run));
    m_open.push_back(capsule);
    Q_EMIT opened(runPathOf(capsule.run));
}

void Capsules::close(const QString& runPath)
{
    const auto found = std::find_if(m_open.begin(), m_open.end(),
        [&](const OpenCapsule& mine) { return runPathOf(mine.run) == runPath; });
    if (found == m_open.end())
        return;
    const OpenCapsule gone = std::move(*found); // until all readers have left
    m_open.erase(found);
    Q_EMIT closed(runPathOf(gone.run)); // `runPath` may be of the reader that now leaves
}

std::vector<run::RunSummary> Capsules::runs() const
{
    std::vector<run::RunSummary> runs;
    for (const OpenCapsule& capsule : m_open)
        runs.push_back(capsule.run);
    return runs;
}

} // namespace earwright::ui
