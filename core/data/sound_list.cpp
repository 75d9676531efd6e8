#include "core/data/sound_list.h"

#include "core/base/file.h"
#include "core/data/csv.h"

#include <algorithm>

namespace kymo::data {

namespace {

/// `$name`; longer names first, so that $data does not eat the beginning of $data_root.
std::string replaced(std::string path, const std::map<std::string, std::string>& replacements)
{
    for (auto one = replacements.rbegin(); one != replacements.rend(); ++one) {
        const std::string name = "$" + one->first;
        if (const size_t at = path.find(name); at != std::string::npos)
            path.replace(at, name.size(), one->second);
    }
    return path;
}

} // namespace

Result<SoundList> SoundList::read(
    const std::filesystem::path& csv, const std::map<std::string, std::string>& replacements)
{
    const Result<std::string> text = readFile(csv);
    if (!text)
        return text.error();
    const std::string place = "'" + csv.string() + "', ";
    const Result<std::vector<CsvRow>> rows = parseCsv(*text);
    if (!rows)
        return Error { place + rows.error().message };
    const std::vector<std::string> header
        = rows->empty() ? std::vector<std::string>() : rows->front().fields;
    const auto column
        = static_cast<size_t>(std::find(header.begin(), header.end(), "wav") - header.begin());
    if (column == header.size())
        return Error { place + "line 1: no column 'wav'; expected a header ID,duration,wav" };
    SoundList list;
    for (size_t i = 1; i < rows->size(); ++i) {
        const CsvRow& row = (*rows)[i];
        if (row.fields.size() <= column || row.fields[column].empty())
            return Error { place + "line " + std::to_string(row.line) + ": no path in 'wav'" };
        list.m_paths.push_back(replaced(row.fields[column], replacements));
    }
    if (list.m_paths.empty())
        return Error { place + "lists no sound" };
    return list;
}

} // namespace kymo::data
