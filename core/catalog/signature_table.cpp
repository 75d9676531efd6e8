#include "core/catalog/signature_table.h"

#include "core/catalog/known_facts.h"
#include "core/catalog/known_words.h"
#include "core/catalog/signature_check.h"
#include "core/catalog/signature_files.h"
#include "core/catalog/source.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace earwright::catalog {

using nlohmann::json;

namespace {

struct Line {
    std::string_view name;
    std::string_view text; ///< a JSON array
};

/// ["name", …]: names hold no escapes.
std::string_view nameOf(std::string_view line)
{
    constexpr size_t kBegin = 2;
    return line.substr(kBegin, line.find('"', kBegin) - kBegin);
}

std::vector<Line> readLines()
{
    std::vector<Line> lines;
    for (const SignatureFile& file : signatureFiles())
        for (size_t begin = 0; begin < file.text.size();) {
            const size_t end = std::min(file.text.find('\n', begin), file.text.size());
            const std::string_view text = file.text.substr(begin, end - begin);
            lines.push_back({ nameOf(text), text });
            begin = end + 1;
        }
    std::sort(
        lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.name < b.name; });
    return lines;
}

const std::vector<Line>& lines()
{
    static const std::vector<Line> all = readLines();
    return all;
}

const Line* findLine(std::string_view name)
{
    const auto line = std::lower_bound(lines().begin(), lines().end(), name,
        [](const Line& a, std::string_view wanted) { return a.name < wanted; });
    return line != lines().end() && line->name == name ? &*line : nullptr;
}

bool isAlias(const Line& line)
{
    // An entry goes on with its role, its flags … and ends in the list of its arguments.
    return !line.text.ends_with("]]");
}

/// FieldFacts holds `const char*`: these are what it points at.
const char* kept(std::string text)
{
    static std::list<std::string> texts;
    texts.push_back(std::move(text));
    return texts.back().c_str();
}

constexpr const char* kRoles[] = { "Module", "Features", "Augmentation", "Loss", "Activation",
    "Optimizer", "Scheduler", "Decoder", "TextEncoder", "Metric", "Utility", "Container" };

Role roleOf(const std::string& name)
{
    const auto role = std::find(std::begin(kRoles), std::end(kRoles), name);
    return role == std::end(kRoles) ? Role::Utility
                                    : static_cast<Role>(std::distance(std::begin(kRoles), role));
}

FieldType typeOf(std::string_view name)
{
    constexpr std::pair<std::string_view, FieldType> kTypes[]
        = { { "int", FieldType::Int }, { "float", FieldType::Float }, { "bool", FieldType::Bool },
              { "str", FieldType::String }, { "ints", FieldType::IntList },
              { "floats", FieldType::FloatList }, { "bools", FieldType::BoolList } };
    for (const auto& [text, type] : kTypes)
        if (text == name)
            return type;
    return FieldType::Node;
}

/// [name, type, default or null, help]
Field fieldOf(const json& argument)
{
    Field field;
    field.name = argument.at(0);
    std::string_view type = argument.at(1).get_ref<const std::string&>();
    field.nullable = type.ends_with('?');
    type = type.substr(0, type.find_first_of("~?"));
    field.isTypeSure = argument.at(1).get_ref<const std::string&>().find('~') == std::string::npos;
    field.type = typeOf(type);
    field.facts.required = argument.at(2).is_null();
    if (!field.facts.required)
        field.defaultText = argument.at(2);
    if (const std::string& help = argument.at(3).get_ref<const std::string&>(); !help.empty())
        field.facts.help = kept(help);
    return field;
}

ClassInfo infoOf(const Line& line)
{
    const json entry = json::parse(line.text);
    ClassInfo info;
    info.name = entry.at(0);
    info.role = roleOf(entry.at(1));
    const std::string flags = entry.at(2);
    info.ownsParameters = flags.find('p') != std::string::npos;
    info.acceptsAnyArgument = flags.find('*') != std::string::npos;
    info.ignoresOthers = flags.find('i') != std::string::npos;
    info.trainable = false;
    info.help = entry.at(3);
    info.source = sourceOf(info.name);
    for (const json& argument : entry.at(4))
        addKnownFacts(info.name, info.fields.emplace_back(fieldOf(argument)));
    addKnownWords(info);
    const Others others = info.acceptsAnyArgument ? Others::Accepted
        : info.ignoresOthers                      ? Others::Ignored
                                                  : Others::Refused;
    info.checkArguments = [fields = info.fields, others](
                              const recipe::Node& node, std::vector<recipe::Diagnostic>& found) {
        checkAgainst(fields, others, node, found);
    };
    return info;
}

} // namespace

std::string_view canonicalName(std::string_view name)
{
    const Line* line = findLine(name);
    if (!line || !isAlias(*line))
        return name;
    const size_t begin = line->text.rfind('"', line->text.size() - 3) + 1; // ["alias","name"]
    return line->text.substr(begin, line->text.size() - 2 - begin);
}

const ClassInfo* findSignature(std::string_view name)
{
    static std::mutex mutex;
    static std::unordered_map<std::string_view, ClassInfo> read; // guarded by mutex
    const Line* line = findLine(canonicalName(name));
    if (!line)
        return nullptr;
    const std::scoped_lock lock(mutex);
    const auto known = read.find(line->name);
    return known != read.end() ? &known->second
                               : &read.emplace(line->name, infoOf(*line)).first->second;
}

std::vector<std::string> aliasesBelow(std::string_view prefix)
{
    auto line = std::lower_bound(lines().begin(), lines().end(), prefix,
        [](const Line& a, std::string_view wanted) { return a.name < wanted; });
    std::vector<std::string> names;
    for (; line != lines().end() && line->name.starts_with(prefix); ++line)
        names.emplace_back(line->name.substr(prefix.size()));
    return names;
}

const std::vector<std::string>& signatureNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const Line& line : lines())
            if (!isAlias(line) && line.name.find(".sections.") == std::string_view::npos)
                found.emplace_back(line.name);
        return found;
    }();
    return names;
}

} // namespace earwright::catalog
