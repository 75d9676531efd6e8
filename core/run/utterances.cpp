#include "core/run/utterances.h"

#include "core/base/code_point.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace earwright::run {

namespace {

score::ErrorRate editsOfOne(const score::Scored& one)
{
    return score::summarise({ one });
}

/// A text of which unspacedUnits() makes these units again: blanks between those that a blank
/// parted.
std::string unspacedText(const std::vector<std::string>& units)
{
    std::string text;
    bool wasSpaced = false;
    for (const std::string& unit : units) {
        const bool isSpaced = !isUnspaced(codeOf(unit.substr(0, codePointLength(unit, 0))));
        text += (wasSpaced && isSpaced ? " " : "") + unit;
        wasSpaced = isSpaced;
    }
    return text;
}

/// Of a run that kept its alignments alone.
std::vector<Utterance> fromAlignments(
    const std::vector<score::Scored>& all, const std::string& rate)
{
    std::vector<Utterance> utterances;
    for (const score::Scored& one : all) {
        Utterance utterance { .id = one.id };
        const bool isByWord = rate != "CER";
        utterance.reference = isByWord ? join(one.reference, " ") : unspacedText(one.reference);
        utterance.hypothesis = isByWord ? join(one.hypothesis, " ") : unspacedText(one.hypothesis);
        (isByWord ? utterance.byWord : utterance.byCharacter) = editsOfOne(one);
        utterances.push_back(std::move(utterance));
    }
    return utterances;
}

const std::optional<score::ErrorRate>& counted(const Utterance& utterance, const std::string& rate)
{
    return rate == "CER" ? utterance.byCharacter : utterance.byWord;
}

Status areCounted(const std::vector<Utterance>& utterances, const std::string& rate)
{
    const auto without = std::find_if(utterances.begin(), utterances.end(),
        [&](const Utterance& utterance) { return !counted(utterance, rate); });
    if (without == utterances.end())
        return Done {};
    return Error { "the utterance " + inQuotes(without->id) + " has no edits for the " + rate };
}

/// A test writes over the texts of the one before.
Status areKept(const Evaluated& wanted, const std::vector<Evaluated>& all)
{
    const auto newest = std::find_if(all.rbegin(), all.rend(),
        [&](const Evaluated& one) { return one.alignmentsFile == wanted.alignmentsFile; });
    if (newest == all.rend() || newest->epoch == wanted.epoch)
        return Done {};
    return Error { "the texts of " + inQuotes(wanted.split) + " of epoch "
        + std::to_string(wanted.epoch) + " are not there: they were overwritten by "
        + inQuotes(newest->split) + " of epoch " + std::to_string(newest->epoch) };
}

Error inFile(const std::filesystem::path& file, const Error& error)
{
    return { inQuotes(file.string()) + ": " + error.message };
}

} // namespace

const score::ErrorRate& countedEdits(const Utterance& utterance, const std::string& rate)
{
    assert(counted(utterance, rate));
    return *counted(utterance, rate);
}

std::filesystem::path utterancesFile(const RunFolder& folder, const Evaluated& evaluated)
{
    const std::filesystem::path alignments = folder.path / evaluated.alignmentsFile;
    return alignments.parent_path() / (alignments.stem().string() + "-utterances.tsv");
}

Result<std::vector<Utterance>> readUtterances(const RunFolder& folder, const Evaluated& evaluated)
{
    const std::filesystem::path file = utterancesFile(folder, evaluated);
    if (isFile(file)) {
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        Result<std::vector<Utterance>> utterances = utterancesFromText(*text);
        if (!utterances)
            return inFile(file, utterances.error());
        if (const Status counted = areCounted(*utterances, evaluated.rate); !counted)
            return inFile(file, counted.error());
        return utterances;
    }
    const std::filesystem::path alignments = folder.path / evaluated.alignmentsFile;
    const Result<std::string> text = readFile(alignments);
    if (!text)
        return text.error();
    const Result<std::vector<score::Scored>> scored = score::scoredFromAlignments(*text);
    if (!scored)
        return inFile(alignments, scored.error());
    return fromAlignments(*scored, evaluated.rate);
}

Result<Evaluated> findEvaluation(
    const Snapshot& snapshot, const std::string& split, std::optional<int64_t> epoch)
{
    const std::vector<Evaluated>& all = snapshot.evaluations;
    const auto isTest = [](const Evaluated& one) { return one.split != "valid"; };
    const auto test = std::find_if(all.begin(), all.end(), isTest);
    const std::string wanted = !split.empty() ? split : test == all.end() ? "valid" : test->split;
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Evaluated& one) {
        return one.split == wanted && (!epoch || one.epoch == *epoch);
    });
    if (found != all.rend()) {
        if (const Status kept = areKept(*found, all); !kept)
            return kept.error();
        return *found;
    }
    std::map<std::string, std::string> epochs; // by split
    for (const Evaluated& one : all)
        epochs[one.split] += (epochs[one.split].empty() ? "" : ", ") + std::to_string(one.epoch);
    std::string known;
    for (const auto& [name, list] : epochs)
        known += (known.empty() ? "" : "; ") + name + " of epoch " + list;
    return Error { "there is no evaluation " + inQuotes(wanted)
        + (epoch ? " of epoch " + std::to_string(*epoch) : "") + "; "
        + (known.empty() ? "the run has recognised no texts yet" : "there are: " + known) };
}

} // namespace earwright::run
