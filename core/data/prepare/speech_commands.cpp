#include "core/data/prepare/speech_commands.h"

#include "core/base/file.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace earwright::data {
namespace {

/// The names (word/file.wav) of one of the corpus's lists.
Result<std::set<std::string>> readList(const std::filesystem::path& path)
{
    Result<std::string> text = readTextFile(path);
    if (!text)
        return Error { text.error().message + "; is this the folder of Speech Commands v0.02?" };
    std::set<std::string> names;
    for (const std::string& line : split(*text, '\n')) {
        if (!trim(line).empty())
            names.emplace(trim(line));
    }
    return names;
}

/// What a list has and its folder has not.
void reportMissing(
    const std::filesystem::path& root, const std::set<std::string>& list, Corpus& corpus)
{
    for (const std::string& name : list)
        if (!isFile(root / name))
            corpus.dropped["no audio file"].push_back(name);
}

/// _background_noise_
bool isWithoutWords(const std::filesystem::path& folder)
{
    return folder.filename().string().starts_with('_');
}

std::vector<std::filesystem::path> wavsIn(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> wavs = sortedEntries(folder);
    std::erase_if(wavs, [](const auto& file) { return file.extension() != ".wav"; });
    return wavs;
}

void noteNoise(const std::filesystem::path& root, Corpus& corpus)
{
    for (const std::filesystem::path& folder : sortedEntries(root))
        if (isFolder(folder) && isWithoutWords(folder))
            corpus.notes.push_back("left out: '" + nameOf(folder)
                + "', which holds no words (files: " + std::to_string(wavsIn(folder).size()) + ")");
}

std::vector<std::filesystem::path> wavsOf(const std::filesystem::path& root)
{
    std::vector<std::filesystem::path> wavs;
    for (const std::filesystem::path& folder : sortedEntries(root)) {
        if (isWithoutWords(folder))
            continue;
        for (std::filesystem::path& file : wavsIn(folder))
            wavs.push_back(std::move(file));
    }
    return wavs;
}

Utterance toUtterance(const std::filesystem::path& wav, const std::string& word)
{
    Utterance utterance;
    utterance.id = word + "/" + wav.stem().string();
    utterance.wav = std::filesystem::absolute(wav).string();
    const std::string stem = wav.stem().string();
    utterance.speaker = stem.substr(0, stem.find("_nohash_"));
    utterance.text = word;
    return utterance;
}

} // namespace

Result<Corpus> readSpeechCommands(const std::filesystem::path& root, const GoOn& goOn)
{
    Result<std::set<std::string>> test = readList(root / "testing_list.txt");
    if (!test)
        return test.error();
    Result<std::set<std::string>> dev = readList(root / "validation_list.txt");
    if (!dev)
        return dev.error();
    Corpus corpus;
    const std::vector<std::filesystem::path> wavs = wavsOf(root);
    goOn.expect(wavs.size());
    for (const std::filesystem::path& wav : wavs) {
        if (!goOn())
            return stoppedIn(root);
        const std::string word = wav.parent_path().filename().string();
        const std::string name = word + "/" + wav.filename().string();
        const char* split = test->contains(name) ? "test" : dev->contains(name) ? "dev" : "train";
        corpus.add(split, toUtterance(wav, word));
    }
    for (const auto* list : { &*test, &*dev })
        reportMissing(root, *list, corpus);
    noteNoise(root, corpus);
    return corpus;
}

} // namespace earwright::data
