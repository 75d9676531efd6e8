#include "core/data/prepare/sum_list.h"

#include "core/base/text.h"
#include "core/data/prepare/folder.h"

#include <optional>
#include <vector>

namespace earwright::data {

namespace {

struct ListedSum {
    std::string path;
    std::string sum; ///< in small letters
};

bool isSha256(std::string_view text)
{
    return text.size() == 64
        && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// "SHA256 (path) = SUM", as `sha256sum --tag` and BSD write it.
std::optional<ListedSum> parseTaggedSum(std::string_view line)
{
    constexpr std::string_view kBegin = "SHA256 (";
    constexpr std::string_view kMiddle = ") = ";
    const size_t middle = line.rfind(kMiddle);
    if (!line.starts_with(kBegin) || middle == std::string_view::npos)
        return std::nullopt;
    const std::string_view sum = line.substr(middle + kMiddle.size());
    if (!isSha256(sum) || middle <= kBegin.size())
        return std::nullopt;
    return ListedSum { std::string(line.substr(kBegin.size(), middle - kBegin.size())),
        toLower(sum) };
}

/// That, "SUM  path" or "SUM *path"; nothing of any other line.
std::optional<ListedSum> parseSum(std::string_view line)
{
    auto [sum, path] = idAndRest(line);
    path.erase(0, path.starts_with('*') ? 1 : 0);
    if (isSha256(sum) && !path.empty())
        return ListedSum { path, toLower(sum) };
    return parseTaggedSum(trim(line));
}

} // namespace

SumList parseSums(
    std::string_view text, const std::filesystem::path& file, const std::filesystem::path& folder)
{
    SumList list;
    size_t unread = 0;
    const std::vector<std::string> lines = split(text, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trim(lines[i]).empty() || trim(lines[i]).front() == '#')
            continue;
        if (const std::optional<ListedSum> listed = parseSum(lines[i]))
            list.sums[(folder / listed->path).lexically_normal().string()] = listed->sum;
        else if (unread++ == 0)
            list.note = "'" + file.string() + "', line " + std::to_string(i + 1)
                + ": expected a SHA-256 of 64 digits and a path; lines passed over: ";
    }
    list.note += unread > 0 ? std::to_string(unread) : "";
    return list;
}

} // namespace earwright::data
