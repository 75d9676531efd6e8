#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <mutex>
#include <set>

namespace kymo {

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
    constexpr int kMostTries = 1000;
    std::error_code ignored;
    registry().mutex.lock();
    for (const fs::path& folder : registry().folders)
        // A file that another thread makes meanwhile keeps its folder; in none that is gone can it.
        for (int i = 0; i < kMostTries && fs::exists(folder, ignored); ++i)
            fs::remove_all(folder, ignored);
}

} // namespace kymo
