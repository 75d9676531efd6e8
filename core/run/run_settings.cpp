#include "core/run/run_settings.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/run/run_folder.h"

#include <algorithm>
#include <optional>

namespace earwright::run {
namespace {

/// Nothing of what is no word, or a list with something in it that is none.
std::optional<std::string> valueText(const recipe::Node& node)
{
    if (node.kind == recipe::Kind::Scalar)
        return node.text;
    if (node.kind != recipe::Kind::Sequence)
        return std::nullopt;
    std::vector<std::string> parts;
    for (const recipe::NodePtr& item : node.items) {
        if (item->kind != recipe::Kind::Scalar)
            return std::nullopt;
        parts.push_back(item->text);
    }
    return "[" + join(parts, ", ") + "]";
}

void addKeys(
    std::map<std::string, std::string>& keys, const recipe::Node& mapping, const std::string& path)
{
    for (const recipe::Entry& entry : mapping.entries) {
        const std::string key = path + entry.key->text;
        if (key.starts_with("__"))
            continue;
        if (const std::optional<std::string> text = valueText(*entry.value))
            keys[key] = *text;
        else if (entry.value->kind == recipe::Kind::Mapping && entry.value->tag.empty())
            addKeys(keys, *entry.value, key + ".");
    }
}

std::string withoutSigns(const std::string& override)
{
    const size_t begin = override.find_first_not_of("-+");
    return begin == std::string::npos ? override : override.substr(begin);
}

std::vector<std::string> overridesOf(const plan::Plan& plan)
{
    std::vector<std::string> overrides;
    for (const std::string& override : plan.overrides)
        overrides.push_back(withoutSigns(override));
    return overrides;
}

} // namespace

Result<std::vector<std::string>> readOverrides(const RunFolder& folder)
{
    const std::filesystem::path path = folder.path / "plan.json";
    const Result<std::string> json = readFile(path);
    if (!json)
        return json.error();
    const Result<plan::Plan> plan = plan::settingsFromJson(*json);
    if (!plan)
        return Error { inQuotes(path.string()) + ": " + plan.error().message };
    return overridesOf(*plan);
}

Result<RunSettings> readSettings(const RunFolder& folder)
{
    const Result<plan::Plan> plan = readPlan(folder);
    if (!plan)
        return plan.error();
    RunSettings settings { .overrides = overridesOf(*plan) };
    if (plan->recipe)
        addKeys(settings.keys, *plan->recipe, "");
    return settings;
}

std::vector<std::string> whatDiffers(const std::vector<std::vector<std::string>>& overridesOfRuns)
{
    std::map<std::string, size_t> numRunsWith;
    for (std::vector<std::string> overrides : overridesOfRuns) {
        std::sort(overrides.begin(), overrides.end());
        overrides.erase(std::unique(overrides.begin(), overrides.end()), overrides.end());
        for (const std::string& override : overrides)
            ++numRunsWith[override];
    }
    std::vector<std::string> texts;
    for (const std::vector<std::string>& overrides : overridesOfRuns) {
        std::vector<std::string> own;
        for (const std::string& override : overrides) {
            if (overridesOfRuns.size() == 1 || numRunsWith[override] < overridesOfRuns.size())
                own.push_back(override);
        }
        texts.push_back(join(own, ", "));
    }
    return texts;
}

} // namespace earwright::run
