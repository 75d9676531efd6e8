#include "core/base/link_target.h"

namespace earwright {

namespace fs = std::filesystem;

fs::path linkTarget(fs::path path)
{
    constexpr int kMostLinks = 40; // as Linux follows
    std::error_code problem;
    for (int links = 0; links < kMostLinks && fs::is_symlink(path, problem); ++links)
        path = path.parent_path() / fs::read_symlink(path, problem);
    return path;
}

bool isNode(const fs::path& path)
{
    std::error_code problem;
    const fs::file_status found = fs::status(path, problem);
    return fs::exists(found) && !fs::is_regular_file(found) && !fs::is_directory(found);
}

} // namespace earwright
