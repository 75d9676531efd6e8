#include "core/data/prepare/voicebank.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace earwright::data {
namespace {

using Lexicon = std::map<std::string, std::string>;

constexpr const char* kLexicon = "lexicon.txt";

std::string withoutPunctuation(std::string text)
{
    std::erase_if(text, [](char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; });
    return text;
}

std::string capitals(std::string text)
{
    for (char& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

/// Without the digits of stress at its ends.
std::string phoneOf(std::string_view phone)
{
    const size_t first = phone.find_first_not_of("012");
    const size_t last = phone.find_last_not_of("012");
    return first == std::string_view::npos ? ""
                                           : std::string(phone.substr(first, last - first + 1));
}

/// The first pronunciation of a word counts; one that is spelt with punctuation only where no other
/// is.
Result<Lexicon> readLexicon(const std::filesystem::path& file)
{
    const Result<std::string> text = readText(file);
    if (!text)
        return Error { text.error().message
            + "; it is librispeech-lexicon.txt of https://www.openslr.org/11: save it there" };
    Lexicon lexicon;
    Lexicon spelt;
    for (const std::string& line : split(*text, '\n')) {
        std::vector<std::string> fields = splitAtWhiteSpace(line);
        if (fields.empty())
            continue;
        std::vector<std::string> phones;
        for (size_t i = 1; i < fields.size(); ++i)
            phones.push_back(phoneOf(fields[i]));
        const std::string word = withoutPunctuation(fields[0]);
        (word == fields[0] ? lexicon : spelt).try_emplace(word, join(phones, " "));
    }
    lexicon.merge(spelt);
    return lexicon;
}

/// Of words; of the same phones in a row one. Nothing where the lexicon lacks a word.
std::optional<std::string> phonesOfWords(const std::string& words, const Lexicon& lexicon)
{
    std::vector<std::string> phones;
    for (const std::string& word : splitAtWhiteSpace(words)) {
        const auto found = lexicon.find(word);
        if (found == lexicon.end())
            return std::nullopt;
        for (std::string& phone : splitAtWhiteSpace(found->second))
            if (phones.empty() || phones.back() != phone)
                phones.push_back(std::move(phone));
    }
    return join(phones, " ");
}

/// A sound and the text beside it.
struct Spoken {
    std::string split;
    std::filesystem::path sound;
    std::filesystem::path text;
};

std::vector<Spoken> spokenIn(const std::filesystem::path& folder, const std::string& sound)
{
    const std::string quality = sound == "noisy_wav" ? "noisy_" : "clean_";
    std::vector<Spoken> all;
    for (const auto& [sounds, texts] :
        { std::pair { "trainset_28spk_wav_16k", "trainset_28spk_txt" },
            { "testset_wav_16k", "testset_txt" } })
        for (const std::filesystem::path& file : sortedEntries(folder / (quality + sounds))) {
            const std::string name = file.stem().string();
            const bool isValid = name.starts_with("p226") || name.starts_with("p287");
            const std::string split = std::string(texts).starts_with("test") ? "test"
                : isValid                                                    ? "dev"
                                                                             : "train";
            if (file.extension() == ".wav")
                all.push_back({ split, file, folder / texts / (name + ".txt") });
        }
    return all;
}

void addSpoken(const Spoken& spoken, const Lexicon& lexicon, Corpus& corpus)
{
    Utterance utterance;
    utterance.id = spoken.sound.stem().string();
    utterance.wav = std::filesystem::absolute(spoken.sound).string();
    utterance.speaker = utterance.id.substr(0, utterance.id.find('_'));
    const Result<std::string> text = readText(spoken.text);
    if (!text) {
        corpus.dropped["no text that can be read"].push_back(utterance.id);
        return;
    }
    utterance.text = join(splitAtWhiteSpace(capitals(withoutPunctuation(*text))), " ");
    const std::optional<std::string> phones = phonesOfWords(utterance.text, lexicon);
    const std::string id = utterance.id;
    if (!phones)
        corpus.dropped["a word that lexicon.txt lacks"].push_back(id);
    else if (corpus.add(spoken.split, std::move(utterance)))
        corpus.phones[id] = *phones;
}

} // namespace

Result<Corpus> readVoicebank(
    const std::filesystem::path& folder, const std::string& sound, const GoOn& goOn)
{
    const std::vector<Spoken> all = spokenIn(folder, sound);
    if (all.empty())
        return Error { "'" + folder.string()
            + "' has no recordings of Voicebank in clean_trainset_28spk_wav_16k and its like" };
    const Result<Lexicon> lexicon = readLexicon(folder / kLexicon);
    if (!lexicon)
        return lexicon.error();
    Corpus corpus;
    corpus.soundName = sound.empty() ? "clean_wav" : sound;
    goOn.expect(all.size());
    for (const Spoken& spoken : all) {
        if (!goOn())
            return stoppedIn(folder);
        addSpoken(spoken, *lexicon, corpus);
    }
    return corpus;
}

} // namespace earwright::data
