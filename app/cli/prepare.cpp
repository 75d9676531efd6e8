#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/base/text.h"
#include "core/data/prepare/checksums.h"
#include "core/data/prepare/corpora.h"
#include "core/data/prepare/own_csv.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/prompts.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <unistd.h>

namespace kymo::cli {

namespace {

using data::Corpus;
using data::PrepareReport;

/// The voices' folders of Debian's packages.
const std::map<std::string, std::string> kVoices { { "en", "en_US_f_Allison" },
    { "es", "es_MX_f_Allison" }, { "fr", "fr_CA_f_June" }, { "it", "it_IT_m_Carlo" },
    { "ru", "ru_RU_f_IvrvoiceRU" } };

/// Counts files on standard error: one line redrawn on a terminal, else one now and then.
class FileCounter final {
public:
    explicit FileCounter(std::string what)
        : m_what(std::move(what))
    {
    }
    ~FileCounter()
    {
        if (m_isTerminal && m_count > 0)
            std::cerr << "\r\033[K";
    }
    FileCounter(const FileCounter&) = delete;
    FileCounter& operator=(const FileCounter&) = delete;

    data::GoOn counting()
    {
        const auto count = [this] {
            ++m_count;
            show();
            return true;
        };
        return { count, [this](size_t numFiles) { m_expected = numFiles; } };
    }

private:
    void show()
    {
        using namespace std::chrono_literals;
        const auto now = std::chrono::steady_clock::now();
        if (now - m_shown < (m_isTerminal ? 200ms : 10000ms))
            return;
        m_shown = now;
        std::cerr << (m_isTerminal ? "\r" : "") << m_count << " of " << m_expected << " files "
                  << m_what << (m_isTerminal ? "" : "\n") << std::flush;
    }

    std::string m_what;
    bool m_isTerminal = isatty(STDERR_FILENO) != 0;
    size_t m_count = 0;
    size_t m_expected = 0;
    std::chrono::steady_clock::time_point m_shown = std::chrono::steady_clock::now();
};

Result<PrepareReport> preparePrompts(const Arguments& arguments, const std::string& out)
{
    const std::string lang = arguments.option("--lang").value_or("en");
    const auto voice = kVoices.find(lang);
    if (voice == kVoices.end())
        return Error { "unknown language '" + lang + "': en, es, fr, it or ru" };
    const std::string transcripts
        = "/usr/share/doc/asterisk-core-sounds-" + lang + "/core-sounds-" + lang + ".txt.gz";
    return data::preparePrompts({ .sounds
        = arguments.option("--sounds").value_or("/usr/share/asterisk/sounds/" + voice->second),
        .transcripts = arguments.option("--transcripts").value_or(transcripts),
        .outFolder = out });
}

bool isOwnList(const std::string& corpus)
{
    return corpus == "csv" || corpus == "json";
}

std::filesystem::path ownList(const Arguments& arguments)
{
    return arguments.option("--csv").value_or(arguments.option("--json").value_or(""));
}

Result<Corpus> read(const std::string& corpus, const Arguments& arguments)
{
    FileCounter counter("read");
    const std::string root = arguments.option("--audio-root").value_or("");
    const std::string out = *arguments.option("--out");
    if (isOwnList(corpus))
        return data::readOwnCsv({ .file = ownList(arguments),
                                    .outFolder = out,
                                    .audioRoot = root,
                                    .normalizeText = !arguments.has("--keep-text") },
            counter.counting());
    return data::readCorpus(corpus,
        { .folder = arguments.option("--corpus").value_or("."),
            .outFolder = out,
            .audioRoot = root,
            .keepText = arguments.has("--keep-text") },
        counter.counting());
}

/// Those that are published in train, dev and test have all three.
bool hasFixedSplits(const std::string& corpus)
{
    return corpus == "fsdd" || corpus == "speech-commands" || isOwnList(corpus);
}

/// The user's own list must not be replaced by a manifest made of it.
bool wouldOverwrite(const std::filesystem::path& list, const std::filesystem::path& out)
{
    std::error_code error;
    for (const char* name : { "train.csv", "dev.csv", "test.csv" }) {
        if (std::filesystem::equivalent(list, out / name, error) && !error)
            return true;
    }
    return false;
}

Result<PrepareReport> prepare(const std::string& corpus, const Arguments& arguments)
{
    const std::filesystem::path out = *arguments.option("--out");
    if (isOwnList(corpus) && wouldOverwrite(ownList(arguments), out))
        return Error { "'" + ownList(arguments).string()
            + "' would be overwritten by a manifest: name another folder with --out" };
    if (corpus == "prompts")
        return preparePrompts(arguments, out);
    Result<Corpus> found = read(corpus, arguments);
    if (!found)
        return found.error();
    if (!arguments.has("--no-checksums")) {
        FileCounter counter("checked");
        const std::filesystem::path folder = isOwnList(corpus)
            ? std::filesystem::absolute(ownList(arguments)).parent_path()
            : std::filesystem::path(arguments.option("--corpus").value_or("."));
        const Status summed
            = data::checkSums(*found, folder, out / "checksums.sha256", counter.counting());
        if (!summed)
            return summed.error();
    }
    return hasFixedSplits(corpus) ? data::writeManifests(*found, out)
                                  : data::writeParts(*found, out);
}

/// "common_voice" is "common-voice".
std::string nameOf(std::string corpus)
{
    std::replace(corpus.begin(), corpus.end(), '_', '-');
    return corpus;
}

bool isKnown(const std::string& corpus)
{
    const std::vector<std::string>& names = data::corpusNames();
    return corpus == "prompts" || isOwnList(corpus)
        || std::find(names.begin(), names.end(), corpus) != names.end();
}

} // namespace

int runPrepare(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words,
        { "--lang", "--sounds", "--transcripts", "--corpus", "--csv", "--json", "--audio-root",
            "--out" },
        { "--keep-text", "--no-checksums" }, 1);
    if (!arguments || arguments->positional.empty() || !arguments->has("--out"))
        return usageError(
            "prepare", arguments ? "name the corpus and --out DIR" : arguments.error().message);
    const std::string corpus = nameOf(arguments->positional.front());
    if (!isKnown(corpus))
        return usageError("prepare",
            "unknown corpus '" + corpus + "': prompts, csv, json, "
                + join(data::corpusNames(), ", "));
    const Result<PrepareReport> report = prepare(corpus, *arguments);
    if (!report) {
        std::cerr << "kymo: " << report.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cout << report->text();
    return engine::kDone;
}

} // namespace kymo::cli
