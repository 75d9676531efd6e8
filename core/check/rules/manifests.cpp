#include "core/base/file.h"
#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/check/tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kymo::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

constexpr const char* kManifestKeys[] = { "train_csv", "valid_csv", "test_csv", "train_json",
    "valid_json", "test_json", "train_annotation", "valid_annotation", "test_annotation" };

/// Columns by the names that are accepted for each.
using Columns = std::vector<std::vector<std::string>>;
const Columns kCsvColumns = { { "ID" }, { "duration" }, { "wav" }, { "wrd" } };
const Columns kJsonColumns = { { "wav" }, { "length", "duration" }, { "words", "wrd" } };

bool isJson(const std::string& path)
{
    return toLower(std::filesystem::path(path).extension().string()) == ".json";
}

std::vector<std::string> csvHeader(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    if (line.starts_with("\xEF\xBB\xBF"))
        line.erase(0, 3);
    std::vector<std::string> names;
    for (const std::string& part : split(line, ',')) {
        std::string_view name = trim(part);
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
            name = name.substr(1, name.size() - 2);
        names.emplace_back(name);
    }
    return names;
}

/// Names of the first utterance's members; none where the file is no object of objects.
std::vector<std::string> jsonMembers(const std::string& path)
{
    const Result<std::string> text = readFile(path);
    const auto object = nlohmann::json::parse(text ? *text : std::string(), nullptr, false);
    std::vector<std::string> names;
    if (object.is_object() && !object.empty() && object.begin()->is_object())
        for (const auto& member : object.begin()->items())
            names.push_back(member.key());
    return names;
}

void checkColumns(const std::string& path, const Node& node, Diagnostics& found)
{
    const std::vector<std::string> names = isJson(path) ? jsonMembers(path) : csvHeader(path);
    for (const std::vector<std::string>& accepted : isJson(path) ? kJsonColumns : kCsvColumns) {
        const bool isThere = std::any_of(accepted.begin(), accepted.end(), [&](const auto& name) {
            return std::find(names.begin(), names.end(), name) != names.end();
        });
        if (!isThere)
            report(found, Severity::Error, "manifest-missing-column",
                "'" + path + "' has no column '" + join(accepted, "' or '") + "'; it has "
                    + (trim(join(names, "")).empty() ? "none" : join(names, ", ")),
                node.span);
    }
}

void checkFile(const std::string& key, const Node& node, Diagnostics& found)
{
    const std::filesystem::path path = node.text;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error))
        return checkColumns(node.text, node, found);
    const std::filesystem::path folder = path.parent_path();
    const bool isFolderThere = folder.empty() || std::filesystem::is_directory(folder, error);
    report(found, Severity::Error, "manifest-missing-file",
        "'" + key + "' names '" + node.text + "', but "
            + (isFolderThere ? "there is no such file"
                             : "the folder '" + folder.string() + "' does not exist")
            + "; 'kymo prepare' writes manifests",
        node.span);
}

} // namespace

void manifests(const Context& context, Diagnostics& found)
{
    // Only a task reads them; upstream's scripts write some of theirs when they start.
    if (!context.request.checkFiles || context.options.task.empty())
        return;
    for (const char* key : kManifestKeys) {
        const NodePtr node = recipe::find(context.root, key);
        if (!plainText(node).empty())
            checkFile(key, *node, found);
    }
}

} // namespace kymo::check::rules
