#include "core/data/prepare/folder.h"

#include "core/base/text.h"

#include <algorithm>

namespace kymo::data {

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

std::filesystem::path rootOf(const std::filesystem::path& folder, const std::string& name)
{
    return isFolder(folder / name) ? folder / name : folder;
}

std::string nameOf(const std::filesystem::path& folder)
{
    const std::filesystem::path whole = std::filesystem::absolute(folder / ".");
    return whole.lexically_normal().parent_path().filename().string();
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

std::vector<std::string> wordsOf(std::string text)
{
    std::replace(text.begin(), text.end(), '\t', ' ');
    std::vector<std::string> words = split(text, ' ');
    std::erase(words, "");
    return words;
}

} // namespace kymo::data
