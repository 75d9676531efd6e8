#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/check/rules/missing_file.h"
#include "core/check/rules/rules.h"
#include "core/settings/corpus.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// Columns by the names that are accepted for each.
using Columns = std::vector<std::vector<std::string>>;

/// Its first megabyte, where it is longer than any that is read: a file may be one line.
std::string firstLine(const std::string& path)
{
    constexpr std::streamsize kMostBytes = 1 << 20;
    std::ifstream file(path);
    std::string line(static_cast<size_t>(kMostBytes), '\0');
    file.read(line.data(), kMostBytes);
    line.resize(static_cast<size_t>(file.gcount()));
    line.resize(std::min(line.find('\n'), line.size()));
    return std::string(withoutByteOrderMark(line));
}

std::vector<std::string> csvHeader(const std::string& path)
{
    std::vector<std::string> names;
    for (const std::string& part : split(firstLine(path), ',')) {
        std::string_view name = trim(part);
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
            name = name.substr(1, name.size() - 2);
        names.emplace_back(name);
    }
    return names;
}

/// Keeps the names of the first utterance's members, and ends the reading with them: manifests have
/// a million utterances, and a recipe is checked as one types.
class FirstMembers final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::vector<std::string> names;

    bool null() override { return m_depth > 0; }
    bool boolean(bool) override { return m_depth > 0; }
    bool number_integer(number_integer_t) override { return m_depth > 0; }
    bool number_unsigned(number_unsigned_t) override { return m_depth > 0; }
    bool number_float(number_float_t, const string_t&) override { return m_depth > 0; }
    bool string(string_t&) override { return m_depth > 0; }
    bool binary(binary_t&) override { return m_depth > 0; }
    bool start_object(std::size_t) override { return ++m_depth > 0; }
    bool end_object() override { return --m_depth > 1; }
    bool start_array(std::size_t) override { return ++m_depth > 2; } // in an utterance
    bool end_array() override { return --m_depth > 0; }
    bool key(string_t& name) override
    {
        if (m_depth == kOfUtterance)
            names.push_back(name);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override
    {
        names.clear();
        return false;
    }

private:
    static constexpr int kOfUtterance = 2;
    int m_depth = 0;
};

/// Names of the first utterance's members; none where the file is no object of objects.
std::vector<std::string> jsonMembers(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    FirstMembers members;
    nlohmann::json::sax_parse(file, &members, nlohmann::json::input_format_t::json, false);
    return members.names;
}

/// Of FunASR's JSON Lines those of the first line.
std::vector<std::string> lineMembers(const std::string& path)
{
    std::vector<std::string> names;
    if (const auto row = parseShallow<nlohmann::json>(firstLine(path)); row.is_object())
        for (const auto& [name, value] : row.items())
            names.push_back(name);
    return names;
}

/// How a manifest is read, by its ending.
struct Format {
    const char* ending;
    std::vector<std::string> (*names)(const std::string& path);
    Columns (*columns)(const settings::ManifestColumns& read); ///< that it must have
    const char* noTable;
};

Columns ofCsv(const settings::ManifestColumns& read)
{
    return { { "ID" }, { "duration" }, read.sound, read.text };
}

Columns ofJson(const settings::ManifestColumns& read)
{
    return { read.sound, { "length", "duration" }, read.text };
}

Columns ofLines(const settings::ManifestColumns&)
{
    return { { "source" }, { "source_len" }, { "target" } };
}

const Format& formatOf(const std::string& path)
{
    static const Format kFormats[] = {
        { ".json", jsonMembers, ofJson, "it is no JSON object of utterances" },
        { ".jsonl", lineMembers, ofLines, "its first line is no JSON object" },
        { "", csvHeader, ofCsv, "its first line is empty" },
    };
    const std::string ending = toLower(std::filesystem::path(path).extension().string());
    return *std::find_if(std::begin(kFormats), std::end(kFormats) - 1,
        [&](const Format& format) { return ending == format.ending; });
}

/// As a message shows them.
std::string shown(std::vector<std::string> names)
{
    constexpr size_t kMost = 20;
    if (names.size() > kMost) {
        names.resize(kMost);
        names.emplace_back("…");
    }
    return join(names, ", ");
}

bool hasAny(const std::vector<std::string>& names, const std::vector<std::string>& accepted)
{
    return std::any_of(accepted.begin(), accepted.end(), [&](const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    });
}

/// By its first bytes: nothing else of it is to be shown.
std::string whyNoManifest(const std::filesystem::path& path)
{
    std::string begin(kNotTextBytes, 0);
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<size_t>(file.gcount()));
    return whyNoText(begin, path.filename().string());
}

void checkColumns(const std::string& path, const Node& node,
    const settings::ManifestColumns& columns, Diagnostics& found)
{
    if (const std::string why = whyNoManifest(path); !why.empty()) {
        report(found, Severity::Error, "data-manifest", inQuotes(path) + " " + why, node.span);
        return;
    }
    const Format& format = formatOf(path);
    const std::vector<std::string> names = format.names(path);
    std::vector<std::string> missing;
    for (const std::vector<std::string>& accepted : format.columns(columns)) {
        if (!hasAny(names, accepted))
            missing.push_back("'" + join(accepted, "' or '") + "'");
    }
    if (missing.empty())
        return;
    const bool isEmpty = trim(join(names, "")).empty();
    report(found, Severity::Error, "manifest-missing-column",
        inQuotes(path) + " has no column " + join(missing, ", ") + "; "
            + (isEmpty ? format.noTable : "it has " + shown(names)),
        node.span);
}

/// A recipe's manifests: how they are read, and what is said of them.
struct ReadManifests {
    settings::ManifestColumns columns;
    std::string hint; ///< on the corpus
    Diagnostics& found;
    Diagnostics missing = {}; ///< to be said where the run does not make them
};

/// Of a corpus that only upstream's script knows how to prepare.
std::string hintOf(const Node& root)
{
    const std::string folder = settings::plainText(recipe::find(root, "data_folder"));
    return !folder.empty() && isFolder(std::filesystem::path(folder) / "swb1_d1")
        ? "; those of Switchboard are made by SpeechBrain's switchboard_prepare.py and are read as "
          "it writes them"
        : "";
}

void checkFile(const std::string& key, const Node& node, ReadManifests& read)
{
    const std::filesystem::path path = node.text;
    if (isFile(path))
        return checkColumns(node.text, node, read.columns, read.found);
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    report(read.missing, Severity::Error, "manifest-missing-file",
        inQuotes(key) + " names " + inQuotes(node.text) + ", but "
            + (isFolder(folder) ? isMissing(
                   folder, path.filename().string(), "; 'earwright prepare' writes manifests")
                                : isMissing(folder))
            + read.hint,
        node.span);
}

/// Its path without folder and ending is the name of a test in scores, curves and alignments.
void checkNames(const std::string& key, const Node& list, Diagnostics& found)
{
    std::set<std::string> names { "train", "valid" };
    std::set<std::string> paths; // one that is there twice counts once
    for (const NodePtr& item : list.items) {
        const std::string path = settings::plainText(item);
        const std::string name = std::filesystem::path(path).stem().string();
        const bool isOfValidation = name.starts_with("valid-epoch-");
        if (!name.empty() && paths.insert(path).second
            && (!names.insert(name).second || isOfValidation))
            report(found, Severity::Error, "option-conflict",
                inQuotes(key) + " lists a manifest called " + inQuotes(name)
                    + (name == "train" || name == "valid" ? ", the name of another split"
                            : isOfValidation              ? ", as the texts of a validation are"
                                                          : " twice")
                    + ": their scores are told apart by it; rename one",
                list.span);
    }
}

/// Of a test several are accepted, as in upstream's LibriSpeech recipes.
void checkManifests(
    const Node& root, const std::string& split, const std::string& key, ReadManifests& read)
{
    const NodePtr node = recipe::find(root, key);
    const bool isList = node && isPlainList(*node);
    if (isList && split != "test")
        return;
    if (isList)
        checkNames(key, *node, read.found);
    for (const NodePtr& manifest : isList ? node->items : std::vector { node })
        if (!settings::plainText(manifest).empty())
            checkFile(key, *manifest, read);
}

/// Told at the manifest that is given.
void checkHubManifest(const Node& root, const std::string& split, ReadManifests& read)
{
    const std::string path = settings::hubManifest(root, split);
    if (path.empty())
        return;
    Node manifest = *recipe::find(root, "train_csv");
    manifest.text = path;
    if (isFile(path))
        return checkColumns(path, manifest, read.columns, read.found);
    report(read.missing, Severity::Error, "manifest-missing-file",
        "the recipe names no manifest for "
            + std::string(split == "valid" ? "validation" : "the test") + ", and there is no "
            + inQuotes(path)
            + " beside train_csv; 'earwright prepare parquet' makes them of a data set of the "
              "Hugging Face Hub, or add ++"
            + split + "_csv=…",
        manifest.span);
}

} // namespace

void manifests(const Context& context, Diagnostics& found)
{
    // Only a task reads them; upstream's scripts write some of theirs when they start.
    if (context.options.task.empty())
        return;
    textKeys(context, found);
    if (!context.request.checkFiles)
        return;
    const Node& root = context.root;
    ReadManifests read { settings::manifestColumns(root), hintOf(root), found };
    for (const char* split : { "train", "valid", "test" })
        for (const std::string& key : settings::manifestKeys(split))
            checkManifests(root, split, key, read);
    for (const char* split : { "valid", "test" })
        checkHubManifest(root, split, read);
    // Whether it makes them is asked only where some are missing: it looks through folders.
    if (!read.missing.empty() && !settings::mayMakeManifests(root))
        found.insert(found.end(), read.missing.begin(), read.missing.end());
}

} // namespace earwright::check::rules
