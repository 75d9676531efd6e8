#include "core/data/prepare/corpora.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/aishell1.h"
#include "core/data/prepare/common_voice.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/fsdd.h"
#include "core/data/prepare/kaldi.h"
#include "core/data/prepare/libriheavy.h"
#include "core/data/prepare/librispeech.h"
#include "core/data/prepare/parquet.h"
#include "core/data/prepare/speech_commands.h"
#include "core/data/prepare/tedlium2.h"
#include "core/data/prepare/timit.h"
#include "core/data/prepare/voicebank.h"

namespace earwright::data {
namespace {

using ReadFolder = Result<Corpus> (*)(const ReadCorpusOptions&, const GoOn&);

struct CorpusReader {
    const char* name;
    ReadFolder read;
};

// clang-format off
constexpr CorpusReader kReaders[] = {
    { "aishell1", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readAishell1(o.folder, o.keepText, goOn); } },
    { "common-voice", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readCommonVoice(o.folder, o.keepText, goOn); } },
    { "fsdd", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readFsdd(o.folder, goOn); } },
    { "kaldi", [](const ReadCorpusOptions& o, const GoOn& goOn) {
        return readKaldi(
            { o.folder, o.audioRoot, o.outFolder / "segments", o.keepText }, goOn); } },
    { "libriheavy", [](const ReadCorpusOptions& o, const GoOn& goOn) { 
        return readLibriheavy({ o.audioRoot.empty() ? o.folder : o.audioRoot,
            o.manifestFolder.empty() ? o.folder : o.manifestFolder, o.parts }, goOn); } },
    { "librispeech", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readLibriSpeech(o.folder, o.parts, goOn); } },
    { "parquet", [](const ReadCorpusOptions& o, const GoOn& goOn) {
        return readParquet({ o.folder, o.outFolder / "sounds", o.subsets,
            o.hasCapitals ? ParquetTexts::Capitals : o.keepText ? ParquetTexts::Kept : ParquetTexts::Normalized }, goOn); } },
    { "speech-commands", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readSpeechCommands(o.folder, goOn); } },
    { "tedlium2", [](const ReadCorpusOptions& o, const GoOn& goOn) {
        return readTedlium2({ o.folder, o.cutFolder.empty() ? o.outFolder / "segments" : o.cutFolder, o.shortestSeconds }, goOn); } },
    { "timit", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readTimit(o.folder, goOn); } },
    { "voicebank", [](const ReadCorpusOptions& o, const GoOn& goOn) { return readVoicebank(o.folder, o.sound, goOn); } },
};
// clang-format on

} // namespace

const std::vector<std::string>& corpusNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const CorpusReader& reader : kReaders)
            all.emplace_back(reader.name);
        return all;
    }();
    return names;
}

Result<Corpus> readCorpus(
    const std::string& name, const ReadCorpusOptions& options, const GoOn& goOn)
{
    for (const CorpusReader& reader : kReaders)
        if (name == reader.name)
            return reader.read(options, goOn);
    return Error { "unknown corpus '" + name + "': " + join(corpusNames(), ", ") };
}

std::vector<std::string> possibleSplits(
    const std::string& name, const std::filesystem::path& folder)
{
    std::vector<std::string> names { "train", "dev", "test" };
    if (name != "librispeech" && name != "kaldi")
        return names;
    names.push_back(nameOf(folder));
    for (const std::filesystem::path& part : sortedEntries(rootOf(folder, "LibriSpeech")))
        if (isFolder(part))
            names.push_back(part.filename().string());
    return names;
}

} // namespace earwright::data
