#include "core/data/prepare/report_file.h"

#include "core/base/earlier_name.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace earwright::data {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kName = "earwright-prepared.json";

/// "" where the file cannot be read.
std::string sumOf(const std::filesystem::path& file)
{
    const Result<std::string> bytes = readFile(file);
    return bytes ? sha256Hex(*bytes) : "";
}

/// As the report names it: files of the folder without it.
std::string nameIn(const std::filesystem::path& file, const std::filesystem::path& folder)
{
    const auto folderOf
        = [](const std::filesystem::path& path) { return path.lexically_normal().parent_path(); };
    return folderOf(file) == folderOf(folder / "x") ? file.filename().string() : file.string();
}

OrderedJson rowOf(const PrepareReport::Split& split, const std::filesystem::path& folder)
{
    return { { "split", split.name }, { "file", nameIn(split.file, folder) },
        { "sha256", sumOf(split.file) }, { "utterances", split.numUtterances },
        { "seconds", split.seconds }, { "words", split.numWords } };
}

std::string textIn(const OrderedJson& row, const char* key)
{
    const auto at = row.is_object() ? row.find(key) : row.end();
    return row.is_object() && at != row.end() && at->is_string() ? at->get<std::string>() : "";
}

/// The rows of the report that is there for files of its folder, but those in `made`.
std::vector<OrderedJson> earlierRows(
    const std::filesystem::path& folder, const std::set<std::string>& made)
{
    const std::filesystem::path own = folder / kName;
    const std::filesystem::path earlier = folder / (kEarlierName + "-prepared.json");
    const Result<std::string> text = readFile(isFile(own) ? own : earlier);
    const OrderedJson json = OrderedJson::parse(text ? *text : "", nullptr, false);
    std::vector<OrderedJson> rows;
    if (!json.is_object() || !json.contains("manifests") || !json["manifests"].is_array())
        return rows;
    for (const OrderedJson& row : json["manifests"]) {
        const std::filesystem::path name = textIn(row, "file");
        const bool isOfFolder = name.has_filename() && name == name.filename();
        if (isOfFolder && isManifest(name) && !made.contains(name.string()))
            rows.push_back(row);
    }
    return rows;
}

/// What the notes say of a file that is not in the way any more, or still is.
std::string removed(const OrderedJson& row, const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / textIn(row, "file");
    if (sumOf(file) != textIn(row, "sha256"))
        return "'" + file.string()
            + "' is of an earlier preparation and was changed since: left as it is";
    std::error_code error;
    std::filesystem::remove(file, error);
    return error
        ? "'" + file.string() + "' of an earlier preparation cannot be removed: " + error.message()
        : "'" + file.string() + "', of an earlier preparation, was removed";
}

Status allowWriting(const std::map<std::string, std::filesystem::path>& files,
    const std::filesystem::path& folder, const std::string& otherwise)
{
    const std::vector<OrderedJson> earlier = earlierRows(folder, {});
    for (const auto& [split, file] : files) {
        const std::string sum = sumOf(file);
        const bool isOurs = std::any_of(
            earlier.begin(), earlier.end(), [&, path = file](const OrderedJson& row) {
                return textIn(row, "file") == nameIn(path, folder) && textIn(row, "sha256") == sum;
            });
        if (isFile(file) && !isOurs)
            return Error { "'" + file.string()
                + "' is there and is not what an earlier preparation made: move it away, or "
                + otherwise };
    }
    return Done {};
}

/// Itself, or the one below which it would be made.
std::filesystem::path nearestThatIsThere(const std::filesystem::path& folder)
{
    std::filesystem::path there = std::filesystem::absolute(folder / ".").lexically_normal();
    std::error_code error;
    while (!std::filesystem::exists(there, error) && there.has_relative_path())
        there = there.parent_path();
    return there;
}

} // namespace

Status checkFolder(const std::filesystem::path& folder, const std::vector<std::string>& names,
    const std::string& otherwise)
{
    const std::filesystem::path there = nearestThatIsThere(folder);
    if (!isFolder(there))
        return Error { "cannot write into '" + folder.string() + "': '" + there.string()
            + "' is no folder" };
    if (access(there.c_str(), W_OK | X_OK) != 0)
        return Error { "cannot write into '" + there.string()
            + "': " + std::generic_category().message(errno) };
    std::map<std::string, std::filesystem::path> files;
    for (const std::string& name : names)
        files[name] = folder / (name + ".csv");
    return allowWriting(files, folder, otherwise);
}

Result<PrepareReport> keepReport(
    PrepareReport report, const std::filesystem::path& folder, Earlier earlier)
{
    OrderedJson manifests = OrderedJson::array();
    std::set<std::string> made;
    for (const PrepareReport::Split& split : report.splits) {
        manifests.push_back(rowOf(split, folder));
        made.insert(nameIn(split.file, folder));
    }
    for (const OrderedJson& row : earlierRows(folder, made)) {
        if (!isFile(folder / textIn(row, "file")))
            continue;
        if (earlier == Earlier::Kept)
            manifests.push_back(row);
        else
            report.notes.push_back(removed(row, folder));
    }
    const OrderedJson json { { "manifests", std::move(manifests) }, { "notes", report.notes },
        { "left_out", report.dropped } };
    report.file = folder / kName;
    // Names of files need not be UTF-8.
    const std::string text = json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    if (Status written = writeFileAtomically(report.file, text); !written)
        return written.error();
    return report;
}

Result<PrepareReport> prepareFolder(const Corpus& corpus,
    const std::map<std::string, std::filesystem::path>& files, const std::filesystem::path& folder)
{
    if (const Status allowed = allowWriting(files, folder, kTakeAnotherFolder); !allowed)
        return allowed.error();
    Result<PrepareReport> report = writeManifests(corpus, files);
    return report ? keepReport(std::move(*report), folder, Earlier::Removed) : report;
}

} // namespace earwright::data
