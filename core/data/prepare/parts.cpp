#include "core/data/prepare/parts.h"

#include "core/data/hash.h"
#include "core/data/prepare/report_file.h"

#include <algorithm>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

constexpr const char* kGroups[] = { "train", "dev", "test" };

/// Beginnings of parts' names, with their group.
constexpr std::pair<const char*, const char*> kBeginnings[] = { { "train", "train" },
    { "dev", "dev" }, { "val", "dev" }, { "cv", "dev" }, { "test", "test" }, { "eval", "test" } };

/// Fewer speakers or utterances than these are not given to eighths.
constexpr size_t kMany = 16;
constexpr size_t kShare = 8;

/// Speakers, or IDs, and how many utterances each has.
using Sizes = std::map<std::string, size_t>;
/// Their splits.
using Splits = std::map<std::string, std::string>;

bool hasSpeakers(const std::vector<Utterance>& utterances)
{
    std::set<std::string> speakers;
    for (const Utterance& utterance : utterances)
        speakers.insert(utterance.speaker);
    speakers.erase("");
    return speakers.size() >= std::size(kGroups);
}

std::string keyOf(const Utterance& utterance, bool bySpeaker)
{
    return bySpeaker && !utterance.speaker.empty() ? utterance.speaker : utterance.id;
}

/// Takes from training whose hash is the least, but not who has the most utterances.
void giveOne(const std::string& split, const Sizes& sizes, Splits& splits)
{
    std::vector<std::string> training;
    for (const auto& [key, given] : splits)
        if (given == "train")
            training.push_back(key);
    std::sort(training.begin(), training.end(),
        [](const auto& a, const auto& b) { return hashText(a) < hashText(b); });
    const auto most = std::max_element(training.begin(), training.end(),
        [&](const auto& a, const auto& b) { return sizes.at(a) < sizes.at(b); });
    if (training.size() > 1)
        splits[most == training.begin() ? training[1] : training[0]] = split;
}

Splits assign(const Sizes& sizes, size_t numUtterances, const Corpus& corpus)
{
    Splits splits;
    std::set<std::string> used;
    for (const auto& [key, size] : sizes) {
        const bool isSmall = size * kShare <= numUtterances;
        splits[key] = sizes.size() >= kMany && isSmall ? splitOf(key) : "train";
        used.insert(splits[key]);
    }
    for (const char* split : { "dev", "test" })
        if (!corpus.splits.contains(split) && !used.contains(split))
            giveOne(split, sizes, splits);
    return splits;
}

std::string withoutManifest(const std::string& part, const std::string& why)
{
    return "no " + part + ".csv is written: " + why;
}

bool hasPartOf(const Corpus& corpus, const std::string& group)
{
    return std::any_of(corpus.splits.begin(), corpus.splits.end(),
        [&](const auto& part) { return groupOf(part.first) == group; });
}

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

void splitRest(Corpus& corpus)
{
    auto rest = corpus.splits.extract("");
    if (rest.empty())
        return;
    std::vector<Utterance>& utterances = rest.mapped();
    const bool bySpeaker = hasSpeakers(utterances);
    Sizes sizes;
    for (const Utterance& utterance : utterances)
        ++sizes[keyOf(utterance, bySpeaker)];
    const Splits splits = assign(sizes, utterances.size(), corpus);
    for (Utterance& utterance : utterances) {
        const std::string& split = splits.at(keyOf(utterance, bySpeaker));
        corpus.splits[split].push_back(std::move(utterance));
    }
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
    constexpr const char* kAllLeftOut = "all its utterances were left out";
    Corpus whole = corpus;
    std::map<std::string, std::filesystem::path> files;
    for (const auto& [part, utterances] : corpus.splits) {
        if (utterances.empty())
            whole.notes.push_back(withoutManifest(part, kAllLeftOut));
        else
            files[part] = folder / (part + ".csv");
    }
    for (const char* group : kGroups) {
        const bool isThere = std::any_of(corpus.splits.begin(), corpus.splits.end(),
            [&](const auto& part) { return groupOf(part.first) == group && !part.second.empty(); });
        if (isThere)
            files[group] = folder / (std::string(group) + ".csv");
        else if (!corpus.splits.contains(group)) // else it has been told
            whole.notes.push_back(withoutManifest(
                group, hasPartOf(corpus, group) ? kAllLeftOut : "there is no such part"));
    }
    if (files.empty())
        files["train"] = folder / "train.csv"; // its error tells what was dropped
    return prepareFolder(whole, files, folder);
}

} // namespace earwright::data
