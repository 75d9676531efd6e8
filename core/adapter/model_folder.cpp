#include "core/adapter/model_folder.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/recipe/override_value.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace earwright::adapter {

using nlohmann::json;
using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;
namespace fs = std::filesystem;

namespace {

constexpr const char* kConfiguration = "configuration.json";

/// `section` is "" at the top.
struct ModelFile {
    std::string section;
    std::string key;
    std::string file;
};

/// What FunASR looks for by name; of two token lists the latter.
const std::vector<ModelFile>& usualFiles()
{
    static const std::vector<ModelFile> kFiles { { "", "init_param", "model.pt" },
        { "tokenizer_conf", "token_list", "tokens.txt" },
        { "tokenizer_conf", "token_list", "tokens.json" },
        { "tokenizer_conf", "seg_dict", "seg_dict" }, { "tokenizer_conf", "bpemodel", "bpe.model" },
        { "frontend_conf", "cmvn_file", "am.mvn" } };
    return kFiles;
}

bool isThere(const fs::path& file)
{
    std::error_code problem;
    return fs::exists(file, problem);
}

/// Puts files into a configuration.
class Folder final {
public:
    Folder(const NodePtr& root, const fs::path& configuration)
        : m_folder(fs::absolute(configuration).lexically_normal().parent_path())
        , m_source((configuration.parent_path() / kConfiguration).string())
    {
        m_adapted.root = recipe::deepCopy(*root);
    }

    Adapted addNamed()
    {
        const Result<std::string> text = readFile(m_source);
        const json names = text ? json::parse(*text, nullptr, false) : json();
        if (!names.is_object())
            report(text ? inQuotes(m_source) + " is no JSON object" : text.error().message);
        else if (const auto files = names.find("file_path_metas");
                 files != names.end() && files->is_object())
            addAll("", *files);
        return std::move(m_adapted);
    }

    Adapted addUsual()
    {
        for (const ModelFile& file : usualFiles()) {
            m_source = (m_folder / file.file).string();
            if (isThere(m_source))
                add(file);
        }
        return std::move(m_adapted);
    }

private:
    void addAll(const std::string& section, const json& files)
    {
        for (const auto& [key, file] : files.items()) {
            if (section.empty() && key == "config")
                continue; // the configuration itself
            if (file.is_object() && section.empty())
                addAll(key, file);
            else if (file.is_string() && holdsFile(file.get<std::string>()))
                add({ section, key, file.get<std::string>() });
            else
                report(nameOf(section, key) + " is left out: "
                    + (file.is_string()
                            ? "there is no " + inQuotes(file.get<std::string>()) + " beside it"
                            : "it names no file"));
        }
    }

    /// Neither a folder nor a name that ends for the system before its end.
    bool holdsFile(const std::string& name) const
    {
        std::error_code problem;
        return name.find('\0') == std::string::npos
            && fs::is_regular_file(m_folder / name, problem);
    }

    static std::string nameOf(const std::string& section, const std::string& key)
    {
        return inQuotes(section.empty() ? key : section + "." + key);
    }

    void add(const ModelFile& file)
    {
        Node* mapping = m_adapted.root.get();
        if (!file.section.empty())
            mapping = sectionOf(file.section);
        if (!mapping)
            return report(nameOf(file.section, file.key) + " is left out: " + inQuotes(file.section)
                + " of the configuration has no keys");
        const NodePtr path = recipe::makeScalar((m_folder / file.file).string());
        path->span.file = m_source;
        Entry* const entry = recipe::findEntry(*mapping, file.key);
        if (!entry)
            mapping->entries.push_back({ keyOf(file.key), path });
        else if (entry->value->origin < recipe::Origin::Override)
            entry->value = path;
    }

    /// Null where something else is in its place.
    Node* sectionOf(const std::string& name)
    {
        Entry* entry = recipe::findEntry(*m_adapted.root, name);
        if (!entry) {
            m_adapted.root->entries.push_back({ keyOf(name), recipe::makeScalar("") });
            entry = &m_adapted.root->entries.back();
        }
        Node& section = *entry->value;
        const bool isSection
            = section.kind == recipe::Kind::Mapping || recipe::becomeMapping(section);
        return isSection ? &section : nullptr;
    }

    NodePtr keyOf(const std::string& name) const
    {
        NodePtr key = recipe::makeScalar(name);
        key->span.file = m_source;
        return key;
    }

    void report(std::string message)
    {
        m_adapted.diagnostics.push_back({ recipe::Severity::Warning, "not-converted",
            std::move(message), { m_source, {}, {} }, std::nullopt, {} });
    }

    fs::path m_folder;
    std::string m_source; ///< the file that asks for what is added
    Adapted m_adapted;
};

} // namespace

Adapted withModelFiles(const NodePtr& root, const std::string& fileName)
{
    const fs::path configuration = fileName;
    const fs::path folder = configuration.parent_path();
    if (isThere(folder / kConfiguration))
        return Folder(root, configuration).addNamed();
    if (configuration.filename() == "config.yaml" && isThere(folder / "model.pt"))
        return Folder(root, configuration).addUsual();
    return { root, {} };
}

} // namespace earwright::adapter
