#include "core/data/prepare/prompts.h"

#include "core/base/text.h"
#include "core/data/prepare/gzip.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/text_file.h"

#include <map>
#include <set>

namespace earwright::data {

namespace {

bool isSpokenAsWritten(const std::string& text)
{
    return text.find_first_of("0123456789[]<>(){}*#@&/\\=+_%$") == std::string::npos;
}

/// What the lines before have said.
struct Seen {
    std::set<std::string> names;
    std::map<std::string, std::string> splitOfText;
};

void addLine(
    const std::string& line, const std::filesystem::path& sounds, Seen& seen, Corpus& corpus)
{
    const size_t colon = line.find(':');
    if (line.empty() || line[0] == ';' || colon == std::string::npos)
        return;
    const std::string name { trim(line.substr(0, colon)) };
    if (!seen.names.insert(name).second) {
        corpus.dropped[kRepeatedId].push_back(name);
        return;
    }
    const std::string raw = line.substr(colon + 1);
    const std::string text = normalizeTranscript(raw);
    if (!isSpokenAsWritten(raw) || text.empty()) {
        corpus.dropped["digits, markup or no words"].push_back(name);
        return;
    }
    Utterance utterance;
    utterance.id = name;
    utterance.wav = std::filesystem::absolute(sounds / (name + ".wav")).string();
    utterance.speaker = "prompts";
    utterance.text = text;
    corpus.add(
        seen.splitOfText.try_emplace(text, splitOf(name)).first->second, std::move(utterance));
}

} // namespace

Result<PrepareReport> preparePrompts(const PromptsOptions& options)
{
    const Result<std::string> transcripts = readMaybeGzip(options.transcripts);
    if (!transcripts)
        return Error { transcripts.error().message
            + "; install the Debian packages asterisk-core-sounds-<language> and -wav, or say "
              "where the transcripts and sounds are" };
    if (Status checked = checkText(*transcripts, options.transcripts); !checked)
        return checked.error();
    Corpus corpus;
    Seen seen;
    for (const std::string& line : split(*transcripts, '\n'))
        addLine(line, options.sounds, seen, corpus);
    return writeManifests(corpus, options.outFolder);
}

} // namespace earwright::data
