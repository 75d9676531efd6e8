#include "core/base/file.h"
#include "core/base/no_weights.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/check/hotword_file.h"
#include "core/check/ngram/ngram_file.h"
#include "core/check/options.h"
#include "core/check/rules/rules.h"
#include "core/settings/corpus.h"
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

constexpr const char* kManifestKeys[] = { "train_csv", "valid_csv", "test_csv", "train_json",
    "valid_json", "test_json", "train_annotation", "valid_annotation", "test_annotation",
    "train_manifest", "valid_manifest", "test_manifest" };

/// Other keys that are read as text, and what they say.
struct TextKey {
    const char* key;
    const char* wanted;
    bool mayBeList = false;
};

constexpr const char* kFolder = "the path of a folder";
constexpr TextKey kTextKeys[] = {
    { "data_folder", kFolder },
    { "output_folder", kFolder },
    { "save_folder", kFolder },
    { "label_encoder_file", "the path of a file" },
    { "hotword", "a .txt file, words or a list of phrases", true },
};

/// Columns by the names that are accepted for each.
using Columns = std::vector<std::vector<std::string>>;
const Columns kCsvColumns = { { "ID" }, { "duration" }, { "wav" }, { "wrd" } };
const Columns kJsonColumns = { { "wav" }, { "length", "duration" }, { "words", "wrd" } };

bool isJson(const std::string& path)
{
    return toLower(std::filesystem::path(path).extension().string()) == ".json";
}

/// Those of its first megabyte, where the line is longer than any header.
std::vector<std::string> csvHeader(const std::string& path)
{
    constexpr std::streamsize kMostBytes = 1 << 20;
    std::ifstream file(path);
    std::string line(static_cast<size_t>(kMostBytes), '\0');
    file.read(line.data(), kMostBytes);
    line.resize(static_cast<size_t>(file.gcount()));
    line.resize(std::min(line.find('\n'), line.size()));
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

void checkColumns(const std::string& path, const Node& node, Diagnostics& found)
{
    if (const std::string why = whyNoManifest(path); !why.empty()) {
        report(found, Severity::Error, "data-manifest", inQuotes(path) + " " + why, node.span);
        return;
    }
    const std::vector<std::string> names = isJson(path) ? jsonMembers(path) : csvHeader(path);
    std::vector<std::string> missing;
    for (const std::vector<std::string>& accepted : isJson(path) ? kJsonColumns : kCsvColumns) {
        if (!hasAny(names, accepted))
            missing.push_back("'" + join(accepted, "' or '") + "'");
    }
    if (missing.empty())
        return;
    const bool isEmpty = trim(join(names, "")).empty();
    const std::string noTable
        = isJson(path) ? "it is no JSON object of utterances" : "its first line is empty";
    report(found, Severity::Error, "manifest-missing-column",
        inQuotes(path) + " has no column " + join(missing, ", ") + "; "
            + (isEmpty ? noTable : "it has " + shown(names)),
        node.span);
}

std::string isMissing(const std::filesystem::path& folder)
{
    return "the folder " + inQuotes(folder.string())
        + " does not exist; set data_folder to where 'earwright prepare' wrote the manifests";
}

/// `otherwise`: what to do where no file of the folder has a name like it.
std::string isMissing(
    const std::filesystem::path& folder, const std::string& name, const std::string& otherwise)
{
    std::error_code error;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        names.push_back(entry.path().filename().string());
    const std::string nearest = nearestName(name, names);
    return "there is no such file"
        + (nearest.empty() ? otherwise : "; did you mean " + inQuotes(nearest) + "?");
}

/// `isMade`: the run makes what is missing.
void checkFile(const std::string& key, const Node& node, bool isMade, Diagnostics& found)
{
    const std::filesystem::path path = node.text;
    if (isFile(path))
        return checkColumns(node.text, node, found);
    if (isMade)
        return;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    report(found, Severity::Error, "manifest-missing-file",
        inQuotes(key) + " names " + inQuotes(node.text) + ", but "
            + (isFolder(folder) ? isMissing(
                   folder, path.filename().string(), "; 'earwright prepare' writes manifests")
                                : isMissing(folder)),
        node.span);
}

/// Its path without folder and ending is the name of a test in scores, curves and alignments.
void checkNames(const std::string& key, const Node& list, Diagnostics& found)
{
    std::set<std::string> names { "train", "valid" };
    for (const NodePtr& item : list.items) {
        const std::string name = std::filesystem::path(settings::plainText(item)).stem().string();
        if (!name.empty() && !names.insert(name).second)
            report(found, Severity::Error, "option-conflict",
                inQuotes(key) + " lists a manifest called " + inQuotes(name)
                    + (name == "train" || name == "valid" ? ", the name of another split"
                                                          : " twice")
                    + ": their scores are told apart by it; rename one",
                list.span);
    }
}

/// Neither of a class nor of another tag.
bool isPlainList(const Node& node)
{
    return node.kind == recipe::Kind::Sequence && (node.tag.empty() || node.tag == "!tuple");
}

bool isText(const Node& node)
{
    return settings::isOpen(node)
        || (node.kind == recipe::Kind::Scalar && node.tag.empty() && !recipe::isNull(node));
}

/// The value, or an item, that would count as not given though it is; null where all is well.
NodePtr noText(const NodePtr& node, bool mayBeList)
{
    if (!node || recipe::isNull(*node) || isText(*node))
        return nullptr;
    if (!mayBeList || !isPlainList(*node))
        return node;
    const auto wrong = std::find_if(
        node->items.begin(), node->items.end(), [](const NodePtr& item) { return !isText(*item); });
    return wrong == node->items.end() ? nullptr : *wrong;
}

void checkText(const Context& context, const TextKey& text, Diagnostics& found)
{
    const NodePtr wrong = noText(recipe::find(context.root, text.key), text.mayBeList);
    if (wrong)
        report(found, Severity::Error, "option-type",
            inQuotes(text.key) + " must be " + text.wanted + ", not " + catalog::describe(*wrong),
            wrong->span);
}

void checkTexts(const Context& context, Diagnostics& found)
{
    for (const TextKey& text : kTextKeys)
        checkText(context, text, found);
    for (const char* key : kManifestKeys) {
        const NodePtr node = recipe::find(context.root, key);
        const bool isTest = std::string_view(key).starts_with("test");
        if (node && !isTest && isPlainList(*node))
            report(found, Severity::Error, "option-type",
                inQuotes(key) + " must be one manifest: name one of them, or join them into one",
                node->span);
        else if (isTest)
            checkText(context, { key, "a manifest or a list of them", true }, found);
        else
            checkText(context, { key, "the path of a manifest" }, found);
    }
}

/// Of a test several are accepted, as in upstream's LibriSpeech recipes.
void checkManifests(const std::string& key, const NodePtr& node, bool isMade, Diagnostics& found)
{
    const bool isList = node && isPlainList(*node);
    if (isList && !key.starts_with("test"))
        return;
    if (isList)
        checkNames(key, *node, found);
    for (const NodePtr& manifest : isList ? node->items : std::vector { node })
        if (!settings::plainText(manifest).empty())
            checkFile(key, *manifest, isMade, found);
}

/// A file that an option names; "" where it is there. `otherwise`: as isMissing() has it.
std::string whyMissing(
    const char* key, const std::filesystem::path& path, const std::string& otherwise = "")
{
    std::error_code error;
    if (path.empty() || std::filesystem::exists(path, error))
        return {};
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    return inQuotes(key) + " names " + inQuotes(path.string()) + ", but "
        + isMissing(folder, path.filename().string(), otherwise);
}

/// Whether it is, and else the error.
bool isThere(const char* key, const std::filesystem::path& path, const recipe::Span& span,
    Diagnostics& found)
{
    const std::string why = whyMissing(key, path);
    if (!why.empty())
        report(found, Severity::Error, "missing-file", why, span);
    return why.empty();
}

/// As upstream, a run makes labels where the file is not there, which may be meant; only a
/// tokenizer's model cannot be made. Beside `tokenizer` the key is not read.
void labelFile(const Context& context, Diagnostics& found)
{
    constexpr const char* kKey = "label_encoder_file";
    const NodePtr node = recipe::find(context.root, kKey);
    const NodePtr tokenizer = recipe::find(context.root, "tokenizer");
    if (!node || context.options.task.empty() || (tokenizer && !recipe::isNull(*tokenizer)))
        return;
    const std::filesystem::path path = settings::plainText(node);
    const bool isModel = path.extension() == ".model";
    const std::string why = whyMissing(
        kKey, path, isModel ? "" : "; the run numbers the labels of its training texts anew");
    if (!why.empty())
        report(
            found, isModel ? Severity::Error : Severity::Warning, "missing-file", why, node->span);
}

/// Several are separated by commas. What is no file of weights at its first bytes is told; the rest
/// is for the run to read.
void initialWeights(const Context& context, Diagnostics& found)
{
    const NodePtr node = findOption(context.root, "init_param");
    const std::string& given = context.options.initParam;
    std::error_code error;
    const bool isOne = std::filesystem::exists(given, error);
    for (const std::string& part : isOne ? std::vector { given } : split(given, ',')) {
        const std::string path(trim(part));
        if (!node || !isThere("init_param", path, node->span, found))
            continue;
        if (const std::string why = whyNoWeights(path); !why.empty())
            report(found, Severity::Error, "missing-file",
                "'init_param' names " + inQuotes(path) + ", but " + why, node->span);
    }
}

/// Unless it is the words themselves.
void hotwordFile(const Context& context, Diagnostics& found)
{
    constexpr const char* kKey = "hotword";
    const NodePtr node = findOption(context.root, kKey);
    const std::string path = settings::plainText(node);
    if (node && namesHotwordFile(path))
        isThere(kKey, path, node->span, found);
}

/// A damaged one would end a training at its test.
void languageModel(const Context& context, Diagnostics& found)
{
    constexpr const char* kKey = "test_beam_search.kenlm_model_path";
    const NodePtr node = findOption(context.root, kKey);
    const std::filesystem::path path = settings::plainText(node);
    if (!node || path.empty() || !isThere(kKey, path, node->span, found))
        return;
    if (const std::string why = whyNoNgramAsBefore(path); !why.empty())
        report(found, Severity::Error, "missing-file",
            inQuotes(kKey) + " names " + inQuotes(path.string())
                + ", which is no language model that can be used: " + why,
            node->span);
}

} // namespace

void missingFiles(const Context& context, Diagnostics& found)
{
    if (!context.request.checkFiles)
        return;
    initialWeights(context, found);
    labelFile(context, found);
    hotwordFile(context, found);
    languageModel(context, found);
}

void manifests(const Context& context, Diagnostics& found)
{
    // Only a task reads them; upstream's scripts write some of theirs when they start.
    if (context.options.task.empty())
        return;
    checkTexts(context, found);
    if (!context.request.checkFiles)
        return;
    const bool isMade = settings::makesManifests(context.root);
    for (const char* key : kManifestKeys)
        checkManifests(key, recipe::find(context.root, key), isMade, found);
}

} // namespace earwright::check::rules
