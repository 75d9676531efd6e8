#include "core/data/prepare/folder.h"

#include "core/base/text.h"

#include <algorithm>

namespace kymo::data {

std::vector<std::filesystem::path> sortedEntries(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> entries;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::filesystem::path rootOf(const std::filesystem::path& folder, const std::string& name)
{
    return isFolder(folder / name) ? folder / name : folder;
}

bool isFolder(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

bool isFile(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

std::pair<std::string, std::string> idAndRest(std::string_view line)
{
    line = trim(line);
    const size_t end = line.find_first_of(" \t");
    if (end == std::string_view::npos)
        return { std::string(line), "" };
    return { std::string(line.substr(0, end)), std::string(trim(line.substr(end))) };
}

} // namespace kymo::data
