#include "core/data/prepare/parts.h"

#include "core/data/prepare/report_file.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kymo::data {
namespace {

constexpr const char* kGroups[] = { "train", "dev", "test" };

/// Beginnings of parts' names, with their group.
constexpr std::pair<const char*, const char*> kBeginnings[] = { { "train", "train" },
    { "dev", "dev" }, { "valid", "dev" }, { "cv", "dev" }, { "test", "test" }, { "eval", "test" } };

} // namespace

std::string groupOf(std::string_view part)
{
    // Kaldi's train_dev and test_dev93; its train_nodev is what is left.
    if (part.find("_dev") != std::string_view::npos
        && part.find("no_dev") == std::string_view::npos)
        return "dev";
    for (const auto& [beginning, group] : kBeginnings)
        if (part.starts_with(beginning))
            return group;
    return "";
}

std::vector<Utterance> utterancesOf(const Corpus& corpus, const std::string& name,
    std::map<std::string, std::vector<std::string>>& dropped)
{
    if (const auto part = corpus.splits.find(name); part != corpus.splits.end())
        return part->second;
    std::vector<Utterance> all;
    std::set<std::string> ids;
    for (const auto& [part, utterances] : corpus.splits) {
        if (groupOf(part) != name)
            continue;
        for (const Utterance& utterance : utterances) {
            if (ids.insert(utterance.id).second)
                all.push_back(utterance);
            else
                dropped["an ID that another part has, out of " + name].push_back(utterance.id);
        }
    }
    return all;
}

Result<PrepareReport> writeParts(const Corpus& corpus, const std::filesystem::path& folder)
{
    Corpus whole = corpus;
    std::map<std::string, std::filesystem::path> files;
    for (const auto& [part, utterances] : corpus.splits) {
        if (utterances.empty())
            whole.dropped["no utterance is left of this part"].push_back(part);
        else
            files[part] = folder / (part + ".csv");
    }
    for (const char* group : kGroups) {
        const bool isThere = std::any_of(corpus.splits.begin(), corpus.splits.end(),
            [&](const auto& part) { return groupOf(part.first) == group && !part.second.empty(); });
        if (isThere)
            files[group] = folder / (std::string(group) + ".csv");
        else
            whole.dropped["no such part in this folder"].emplace_back(group);
    }
    if (files.empty())
        files["train"] = folder / "train.csv"; // its error tells what was dropped
    return prepareFolder(whole, files, folder);
}

} // namespace kymo::data
