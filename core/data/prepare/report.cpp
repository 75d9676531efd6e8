#include "core/data/prepare/report.h"

#include "core/base/code_point.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/audio.h"
#include "core/data/csv.h"
#include "core/data/hash.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/report_file.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

constexpr size_t kNamesShown = 5;

PrepareReport::Split summarise(const std::string& name, const std::vector<Utterance>& utterances)
{
    PrepareReport::Split split { name, {}, static_cast<int64_t>(utterances.size()), 0, 0 };
    std::set<std::string> words;
    for (const Utterance& utterance : utterances) {
        split.seconds += utterance.durationSeconds;
        for (std::string& word : splitAtWhiteSpace(utterance.text))
            words.insert(std::move(word));
    }
    split.numWords = static_cast<int64_t>(words.size());
    return split;
}

std::vector<std::string> oddlySpaced(const Corpus& corpus)
{
    std::vector<std::string> ids;
    for (const auto& [split, utterances] : corpus.splits)
        for (const Utterance& utterance : utterances)
            if (!oddWhiteSpace(utterance.text).empty())
                ids.push_back(utterance.id);
    return ids;
}

/// "" where there are none.
std::string phonesOf(const Corpus& corpus, const std::string& id)
{
    const auto found = corpus.phones.find(id);
    return found == corpus.phones.end() ? "" : found->second;
}

/// Parts of recordings last for their duration: their start is a column, and no stop.
std::string csvOf(const std::vector<Utterance>& utterances, const Corpus& corpus)
{
    const bool hasParts = std::any_of(utterances.begin(), utterances.end(),
        [](const Utterance& utterance) { return !utterance.part.isWhole(); });
    std::vector<std::string> header { "ID", "duration", corpus.soundName, "spk_id", "wrd" };
    if (hasParts)
        header.emplace_back("start");
    if (!corpus.phones.empty())
        header.emplace_back("phn");
    std::string text = formatCsvRow(header);
    for (const Utterance& u : utterances) {
        std::vector<std::string> row { u.id, formatDouble(u.durationSeconds), u.wav, u.speaker,
            u.text };
        if (hasParts)
            row.push_back(formatDouble(u.part.begin));
        if (!corpus.phones.empty())
            row.push_back(phonesOf(corpus, u.id));
        text += formatCsvRow(row);
    }
    return text;
}

/// JSON is UTF-8, where a file's name may be any bytes.
Result<std::string> jsonOf(const std::vector<Utterance>& utterances, const Corpus& corpus)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::object();
    for (const Utterance& u : utterances) {
        for (const std::string& text : { u.id, u.wav, u.text, u.speaker })
            if (brokenUtf8At(text) != std::string::npos)
                return Error { "the utterance '" + u.id + "' has '" + text
                    + "', which is not UTF-8 and so not for JSON; a CSV file takes it" };
        nlohmann::ordered_json& row = rows[u.id];
        row = { { corpus.soundName, u.wav }, { "length", u.durationSeconds }, { "words", u.text },
            { "spk_id", u.speaker } };
        if (!u.part.isWhole()) {
            row["start"] = u.part.begin;
            row["stop"] = u.part.begin + u.part.seconds;
        }
        if (!corpus.phones.empty())
            row["phn"] = phonesOf(corpus, u.id);
    }
    return rows.dump(1) + "\n";
}

/// Training, then validation, then test, the groups before their parts.
std::vector<std::string> inOrder(const std::map<std::string, std::filesystem::path>& files)
{
    const std::vector<std::string> groups { "train", "dev", "test", "" };
    std::vector<std::string> names;
    for (const std::string& group : groups) {
        if (files.contains(group))
            names.push_back(group);
        for (const auto& [name, file] : files)
            if (groupOf(name) == group && name != group)
                names.push_back(name);
    }
    return names;
}

Status writeManifest(const std::vector<Utterance>& utterances, const Corpus& corpus,
    const std::filesystem::path& file)
{
    std::error_code error;
    if (file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), error);
    if (error)
        return Error { "cannot create folder '" + file.parent_path().string()
            + "': " + error.message() };
    const bool isJson = toLower(file.extension().string()) == ".json";
    const Result<std::string> text
        = isJson ? jsonOf(utterances, corpus) : csvOf(utterances, corpus);
    return text ? writeFileAtomically(file, *text)
                : Error { "cannot write '" + file.string() + "': " + text.error().message };
}

std::string firstOf(const std::vector<std::string>& names)
{
    const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesShown));
    return join({ names.begin(), names.begin() + shown }, ", ")
        + (names.size() > kNamesShown ? ", …" : "");
}

} // namespace

std::string countAndNames(const std::vector<std::string>& names)
{
    return std::to_string(names.size()) + " (" + firstOf(names) + ")";
}

std::string reasonIn(const std::string& message, const std::filesystem::path& path)
{
    const std::string named = inQuotes(path.string()) + ": ";
    const size_t at = message.find(named);
    return at == std::string::npos ? message : message.substr(at + named.size());
}

Error stoppedIn(const std::filesystem::path& folder)
{
    return { "stopped before all of '" + folder.string() + "' was read" };
}

void Corpus::noteWhole()
{
    if (!tooShort.empty())
        notes.push_back("kept, but shorter than the list says: " + countAndNames(tooShort));
    for (std::string& note : tags.notes())
        notes.push_back(std::move(note));
}

bool Corpus::add(const std::string& split, Utterance utterance)
{
    const std::optional<double> seconds = secondsOf(utterance.id, utterance.wav);
    if (!seconds)
        return false;
    utterance.durationSeconds = *seconds;
    splits[split].push_back(std::move(utterance));
    return true;
}

std::optional<double> Corpus::secondsOf(const std::string& id, const std::filesystem::path& wav)
{
    std::error_code error;
    if (!std::filesystem::exists(wav, error)) {
        dropped["no audio file"].push_back(id);
        return std::nullopt;
    }
    const Result<AudioInfo> info = probeAudio(wav);
    if (!info) {
        dropped[kUnreadable].push_back(id + ": " + reasonIn(info.error().message, wav));
        return std::nullopt;
    }
    return static_cast<double>(info->frames) / info->sampleRateHz;
}

std::string splitOf(const std::string& name)
{
    const uint64_t part = hashText(name) % 8;
    return part == 0 ? "test" : part == 1 ? "dev" : "train";
}

Result<PrepareReport> writeManifests(
    const Corpus& corpus, const std::map<std::string, std::filesystem::path>& files)
{
    PrepareReport report { {}, corpus.dropped, corpus.notes };
    if (const std::vector<std::string> ids = oddlySpaced(corpus); !ids.empty())
        report.notes.push_back(
            "texts whose white space is not single blanks between words: " + countAndNames(ids));
    std::vector<std::vector<Utterance>> utterances;
    for (const std::string& name : inOrder(files)) {
        utterances.push_back(utterancesOf(corpus, name, report.dropped));
        if (utterances.back().empty())
            return Error { "no utterances are left for " + name + " ("
                + join(earwright::split(trim(report.text()), '\n'), "; ")
                + "); is this the right folder?" };
        report.splits.push_back(summarise(name, utterances.back()));
        report.splits.back().file = files.at(name);
    }
    for (size_t i = 0; i < utterances.size(); ++i) {
        if (Status written = writeManifest(utterances[i], corpus, report.splits[i].file); !written)
            return written.error();
    }
    return report;
}

Result<PrepareReport> writeManifests(const Corpus& corpus, const std::filesystem::path& folder)
{
    std::map<std::string, std::filesystem::path> files;
    for (const char* name : { "train", "dev", "test" })
        files[name] = folder / (std::string(name) + ".csv");
    return prepareFolder(corpus, files, folder);
}

std::string PrepareReport::text() const
{
    int width = 5;
    for (const Split& split : splits)
        width = std::max(width, static_cast<int>(std::min<size_t>(split.name.size(), 40)));
    std::string text;
    for (const Split& split : splits) {
        char line[200];
        std::snprintf(line, sizeof line,
            "%-*s %6lld utterances %8.1f minutes %6lld different words  ", width,
            split.name.c_str(), static_cast<long long>(split.numUtterances), split.seconds / 60,
            static_cast<long long>(split.numWords));
        text += line + split.file.string() + "\n";
    }
    for (const std::string& note : notes)
        text += note + "\n";
    for (const auto& [reason, names] : dropped)
        text += "dropped " + std::to_string(names.size()) + ": " + reason + " (" + firstOf(names)
            + ")\n";
    if (!dropped.empty() && !file.empty())
        text += "all that was left out: " + file.string() + "\n";
    return text;
}

} // namespace earwright::data
