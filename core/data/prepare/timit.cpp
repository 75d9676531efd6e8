#include "core/data/prepare/timit.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/text_file.h"
#include "core/settings/corpus.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace earwright::data {
namespace {

/// Source: TIMIT's documentation (core test set) and Kaldi's list of development speakers.
constexpr std::string_view kTestSpeakers[] = { "fdhc0", "felc0", "fjlm0", "fmgd0", "fmld0", "fnlp0",
    "fpas0", "fpkt0", "mbpm0", "mcmj0", "mdab0", "mgrt0", "mjdh0", "mjln0", "mjmp0", "mklt0",
    "mlll0", "mlnt0", "mnjm0", "mpam0", "mtas1", "mtls0", "mwbt0", "mwew0" };
constexpr std::string_view kDevSpeakers[] = { "fadg0", "faks0", "fcal1", "fcmh0", "fdac1", "fdms0",
    "fdrw0", "fedw0", "fgjd0", "fjem0", "fjmg0", "fjsj0", "fkms0", "fmah0", "fmml0", "fnmr0",
    "frew0", "fsem0", "majc0", "mbdg0", "mbns0", "mbwm0", "mcsh0", "mdlf0", "mdls0", "mdvc0",
    "mers0", "mgjf0", "mglb0", "mgwt0", "mjar0", "mjfc0", "mjsw0", "mmdb1", "mmdm2", "mmjr0",
    "mmwh0", "mpdf0", "mrcs0", "mreb0", "mrjm4", "mrjr0", "mroa0", "mrtk0", "mrws1", "mtaa0",
    "mtdt0", "mteb0", "mthc0", "mwjg0" };

/// Those of the 39 that stand for several. Source: Lee & Hon 1989, table 3.
constexpr std::pair<std::string_view, std::string_view> kFolded[] = { { "ao", "aa" },
    { "ax", "ah" }, { "ax-h", "ah" }, { "axr", "er" }, { "hv", "hh" }, { "ix", "ih" },
    { "el", "l" }, { "em", "m" }, { "en", "n" }, { "nx", "n" }, { "eng", "ng" }, { "zh", "sh" },
    { "ux", "uw" }, { "pcl", "sil" }, { "tcl", "sil" }, { "kcl", "sil" }, { "bcl", "sil" },
    { "dcl", "sil" }, { "gcl", "sil" }, { "h#", "sil" }, { "pau", "sil" }, { "epi", "sil" } };
constexpr std::string_view kKept[] = { "aa", "ae", "ah", "aw", "ay", "b", "ch", "d", "dh", "dx",
    "eh", "er", "ey", "f", "g", "hh", "ih", "iy", "jh", "k", "l", "m", "n", "ng", "ow", "oy", "p",
    "r", "s", "sh", "sil", "t", "th", "uh", "uw", "v", "w", "y", "z" };
constexpr std::string_view kGlottalStop = "q"; ///< stands for none

template <class List>
bool isAmong(const List& list, std::string_view name)
{
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

/// Of the 39; "" for the glottal stop, nothing of what TIMIT does not have.
std::optional<std::string> foldedPhone(std::string_view phone)
{
    if (phone == kGlottalStop)
        return "";
    for (const auto& [from, to] : kFolded)
        if (phone == from)
            return std::string(to);
    return isAmong(kKept, phone) ? std::optional(std::string(phone)) : std::nullopt;
}

/// The third column of lines "BEGIN END LABEL"; nothing where a line has another form.
std::optional<std::vector<std::string>> labelsOf(const std::string& text)
{
    std::vector<std::string> labels;
    for (const std::string& line : split(text, '\n')) {
        std::vector<std::string> fields = splitAtBlanks(std::string(trim(line)));
        if (fields.empty())
            continue;
        if (fields.size() != 3)
            return std::nullopt;
        labels.push_back(std::move(fields[2]));
    }
    return labels;
}

/// Of a silence in a row one is left.
std::optional<std::string> foldedPhones(const std::vector<std::string>& labels)
{
    std::vector<std::string> phones;
    for (const std::string& label : labels) {
        std::optional<std::string> phone = foldedPhone(label);
        if (!phone)
            return std::nullopt;
        const bool isRepeated = *phone == "sil" && !phones.empty() && phones.back() == "sil";
        if (!phone->empty() && !isRepeated)
            phones.push_back(std::move(*phone));
    }
    return join(phones, " ");
}

/// The file beside a sound with the ending in its letters; nothing where it cannot be read.
std::optional<std::vector<std::string>> labelsBeside(const std::filesystem::path& sound,
    const std::string& ending, const std::string& endingOfCapitals)
{
    for (const std::string& one : { ending, endingOfCapitals }) {
        std::filesystem::path file = sound;
        file.replace_extension(one);
        if (const Result<std::string> text = readText(file))
            return labelsOf(*text);
    }
    return std::nullopt;
}

bool isSpoken(const std::filesystem::path& file)
{
    return toLower(file.extension().string()) == ".wav" && toLower(file.stem().string()) != "sa1"
        && toLower(file.stem().string()) != "sa2";
}

/// "" of a speaker that no recipe takes.
std::string splitOfSpeaker(bool isOfTraining, const std::string& speaker)
{
    return isOfTraining                   ? "train"
        : isAmong(kDevSpeakers, speaker)  ? "dev"
        : isAmong(kTestSpeakers, speaker) ? "test"
                                          : "";
}

void addSentence(const std::string& split, const std::string& speaker,
    const std::filesystem::path& sound, Corpus& corpus)
{
    Utterance utterance;
    utterance.id = speaker + "_" + toLower(sound.stem().string());
    utterance.wav = std::filesystem::absolute(sound).string();
    utterance.speaker = speaker;
    const auto words = labelsBeside(sound, ".wrd", ".WRD");
    const auto labels = labelsBeside(sound, ".phn", ".PHN");
    const std::optional<std::string> phones = labels ? foldedPhones(*labels) : std::nullopt;
    if (!words || !labels) {
        corpus.dropped["no .wrd or .phn that can be read"].push_back(utterance.id);
    } else if (!phones) {
        corpus.dropped["a phone that TIMIT does not have"].push_back(utterance.id);
    } else {
        utterance.text = join(*words, " ");
        const std::string id = utterance.id;
        if (corpus.add(split, std::move(utterance)))
            corpus.phones[id] = *phones;
    }
}

struct Sentence {
    std::string split;
    std::string speaker;
    std::filesystem::path sound;
};

std::vector<Sentence> sentencesIn(const std::filesystem::path& root)
{
    std::vector<Sentence> all;
    for (const std::filesystem::path& half : sortedEntries(root)) {
        const std::string name = toLower(half.filename().string());
        if (name != "train" && name != "test")
            continue;
        for (const std::filesystem::path& dialect : sortedEntries(half))
            for (const std::filesystem::path& folder : sortedEntries(dialect)) {
                const std::string speaker = toLower(folder.filename().string());
                const std::string split = splitOfSpeaker(name == "train", speaker);
                if (split.empty())
                    continue;
                for (const std::filesystem::path& file : sortedEntries(folder))
                    if (isSpoken(file))
                        all.push_back({ split, speaker, file });
            }
    }
    return all;
}

} // namespace

Result<Corpus> readTimit(const std::filesystem::path& folder, const GoOn& goOn)
{
    const std::filesystem::path root = settings::timitIn(folder);
    if (root.empty())
        return Error { "'" + folder.string()
            + "' has no train/dr1 and test/dr1 of TIMIT; name the folder that holds them" };
    Corpus corpus;
    const std::vector<Sentence> sentences = sentencesIn(root);
    goOn.expect(sentences.size());
    for (const Sentence& sentence : sentences) {
        if (!goOn())
            return stoppedIn(root);
        addSentence(sentence.split, sentence.speaker, sentence.sound, corpus);
    }
    return corpus;
}

} // namespace earwright::data
