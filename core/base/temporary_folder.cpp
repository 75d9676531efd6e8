#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <mutex>
#include <set>

namespace earwright {

namespace fs = std::filesystem;

namespace {

struct Registry {
    std::mutex mutex;
    std::set<fs::path> folders; ///< guarded by mutex
};

/// Never destroyed: a thread may end the process while others still run.
Registry& registry()
{
    static auto* const all = new Registry;
    return *all;
}

/// Under another name first: who writes into it by its own would else keep it, or this busy, for as
/// long as they like.
void removeUnderWriters(const fs::path& folder)
{
    constexpr int kMostTries = 100;
    std::error_code ignored;
    fs::path gone = folder;
    gone += "-gone";
    fs::rename(folder, gone, ignored);
    for (int i = 0; i < kMostTries && fs::exists(gone, ignored); ++i)
        fs::remove_all(gone, ignored);
}

} // namespace

TemporaryFolder::TemporaryFolder(const fs::path& parent, const std::string& prefix)
{
    std::error_code none;
    const fs::path place = parent.empty() ? fs::temp_directory_path(none) : parent;
    std::string name = (place / (prefix + "-XXXXXX")).string();
    const std::lock_guard lock(registry().mutex);
    if (mkdtemp(name.data()) == nullptr)
        return;
    m_path = name;
    registry().folders.insert(fs::absolute(m_path, none));
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (m_path.empty())
        return;
    const std::lock_guard lock(registry().mutex);
    registry().folders.erase(fs::absolute(m_path, ignored));
    fs::remove_all(m_path, ignored);
}

void TemporaryFolder::removeAll()
{
    registry().mutex.lock();
    for (const fs::path& folder : registry().folders)
        removeUnderWriters(folder);
}

void makeFoldersBelow(const fs::path& root, const fs::path& relative)
{
    fs::path folder = root;
    std::error_code isThere;
    for (const fs::path& name : relative)
        fs::create_directory(folder /= name, isThere);
}

} // namespace earwright
