#include "core/base/temporary_folder.h"

#include <cstdlib>

namespace kymo {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const fs::path& parent, const std::string& prefix)
{
    std::error_code none;
    const fs::path place = parent.empty() ? fs::temp_directory_path(none) : parent;
    std::string name = (place / (prefix + "-XXXXXX")).string();
    if (mkdtemp(name.data()) != nullptr)
        m_path = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

} // namespace kymo
