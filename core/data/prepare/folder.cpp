#include "core/data/prepare/folder.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>

namespace earwright::data {

std::vector<std::filesystem::path> sortedEntries(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> entries;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (!entry.path().filename().string().starts_with("._"))
            entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

namespace {

/// Without "." and ".." and a slash at its end.
std::filesystem::path wholePath(const std::filesystem::path& folder)
{
    return std::filesystem::absolute(folder / ".").lexically_normal().parent_path();
}

} // namespace

std::filesystem::path rootOf(const std::filesystem::path& folder, const std::string& name)
{
    return isFolder(folder / name) ? folder / name : folder;
}

std::filesystem::path otherRootOf(const std::filesystem::path& folder, const std::string& name)
{
    if (isFolder(folder / name))
        return wholePath(folder / name);
    return nameOf(folder) == name ? wholePath(folder).parent_path() : std::filesystem::path();
}

std::string nameOf(const std::filesystem::path& folder)
{
    return wholePath(folder).filename().string();
}

std::pair<std::string, std::string> idAndRest(std::string_view line)
{
    line = trim(line);
    const size_t end = line.find_first_of(" \t");
    if (end == std::string_view::npos)
        return { std::string(line), "" };
    return { std::string(line.substr(0, end)), std::string(trim(line.substr(end))) };
}

} // namespace earwright::data
