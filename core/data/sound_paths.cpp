#include "core/data/sound_paths.h"

#include "core/base/file.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/probe.h"

#include <algorithm>

namespace earwright::data {

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

std::map<std::string, std::string> replacementsOf(const recipe::NodePtr& node)
{
    std::map<std::string, std::string> replacements;
    if (node && node->kind == recipe::Kind::Mapping) {
        for (const recipe::Entry& entry : node->entries)
            replacements[entry.key->text] = recipe::asString(*entry.value);
    }
    return replacements;
}

const std::vector<std::string>& soundEndings()
{
    static const std::vector<std::string> endings { ".wav", ".flac", ".mp3", ".ogg", ".opus",
        ".aif", ".aiff", ".au", ".sph", ".w64", ".caf" };
    return endings;
}

bool isSound(const std::filesystem::path& file)
{
    const std::string ending = toLower(file.extension().string());
    return std::find(soundEndings().begin(), soundEndings().end(), ending) != soundEndings().end();
}

Result<std::vector<std::string>> readSoundPaths(
    const std::filesystem::path& csv, const std::map<std::string, std::string>& replacements)
{
    const Result<std::string> text = readTextFile(csv);
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
    std::vector<std::string> paths;
    for (size_t i = 1; i < rows->size(); ++i) {
        const CsvRow& row = (*rows)[i];
        if (row.fields.size() <= column || row.fields[column].empty())
            return Error { place + atLine(row.line) + "no path in 'wav'" };
        paths.push_back(replaced(row.fields[column], replacements));
    }
    if (paths.empty())
        return Error { place + "lists no sound" };
    const auto infos = Prober().probe(paths);
    for (size_t i = 0; i < paths.size(); ++i) {
        const std::string line = place + atLine((*rows)[i + 1].line);
        if (!isFile(paths[i]))
            return Error { line + "there is no file '" + paths[i] + "'" };
        if (!*infos[i])
            return Error { line + infos[i]->error().message };
    }
    return paths;
}

} // namespace earwright::data
