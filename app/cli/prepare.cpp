#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/file_counter.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/data/amendments.h"
#include "core/data/manifest_lines.h"
#include "core/data/prepare/checksums.h"
#include "core/data/prepare/corpora.h"
#include "core/data/prepare/own_list.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/prompts.h"
#include "core/data/prepare/report_file.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <iostream>
#include <map>

namespace earwright::cli {

namespace {

using data::Corpus;
using data::PrepareReport;

/// The voices' folders of Debian's packages.
const std::map<std::string, std::string> kVoices { { "en", "en_US_f_Allison" },
    { "es", "es_MX_f_Allison" }, { "fr", "fr_CA_f_June" }, { "it", "it_IT_m_Carlo" },
    { "ru", "ru_RU_f_IvrvoiceRU" } };

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

/// The list, or the folder of a published corpus.
std::filesystem::path corpusPath(const std::string& corpus, const Arguments& arguments)
{
    return isOwnList(corpus) ? arguments.option("--" + corpus).value_or("")
                             : arguments.option("--corpus").value_or(".");
}

Result<Corpus> read(const std::string& corpus, const Arguments& arguments)
{
    FileCounter counter("read");
    const std::filesystem::path source = corpusPath(corpus, arguments);
    const std::string root = arguments.option("--audio-root").value_or("");
    const std::string out = *arguments.option("--out");
    if (isOwnList(corpus))
        return data::readOwnList({ .file = source,
                                     .outFolder = out,
                                     .audioRoot = root,
                                     .normalizeText = !arguments.has("--keep-text"),
                                     .language = arguments.option("--lang").value_or("") },
            counter.counting());
    return data::readCorpus(corpus,
        { .folder = source,
            .outFolder = out,
            .audioRoot = root,
            .keepText = arguments.has("--keep-text") },
        counter.counting());
}

/// Those that are published in train, dev and test have all three.
bool hasFixedSplits(const std::string& corpus)
{
    return corpus == "fsdd" || corpus == "speech-commands";
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

/// Reads all audio to its end, and keeps its checksums unless told not to.
Status readThrough(Corpus& found, const std::string& corpus, const Arguments& arguments)
{
    FileCounter counter("checked");
    const std::filesystem::path source = corpusPath(corpus, arguments);
    if (arguments.has("--no-checksums"))
        return data::dropDamaged(found, source, counter.counting());
    const std::filesystem::path out = *arguments.option("--out");
    return data::checkSums(found,
        isOwnList(corpus) ? std::filesystem::absolute(source).parent_path() : source,
        out / "checksums.sha256", counter.counting());
}

Result<PrepareReport> prepare(const std::string& corpus, const Arguments& arguments)
{
    const std::filesystem::path out = *arguments.option("--out");
    const std::filesystem::path source = corpusPath(corpus, arguments);
    if (isOwnList(corpus) && wouldOverwrite(source, out))
        return Error { "'" + source.string()
            + "' would be overwritten by a manifest: name another folder with --out" };
    if (const Status allowed = data::checkFolder(out, data::possibleSplits(corpus, source));
        !allowed)
        return allowed.error();
    if (corpus == "prompts")
        return preparePrompts(arguments, out);
    Result<Corpus> found = read(corpus, arguments);
    if (!found)
        return found.error();
    if (const Status read = readThrough(*found, corpus, arguments); !read)
        return read.error();
    return hasFixedSplits(corpus) ? data::writeManifests(*found, out)
                                  : data::writeParts(*found, out);
}

Result<std::string> reportOf(const std::string& corpus, const Arguments& arguments)
{
    const Result<PrepareReport> report = prepare(corpus, arguments);
    return report ? Result(report->text()) : report.error();
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
    return corpus == "prompts" || corpus == "corrections" || isOwnList(corpus)
        || std::find(names.begin(), names.end(), corpus) != names.end();
}

using Options = std::vector<std::string>;

const Options kValued { "--lang", "--sounds", "--transcripts", "--corpus", "--csv", "--json",
    "--audio-root", "--manifest", "--text-column", "--out" };
const Options kFlags { "--keep-text", "--no-checksums" };

Options optionsOf(const std::string& corpus)
{
    if (corpus == "prompts")
        return { "--out", "--lang", "--sounds", "--transcripts" };
    if (corpus == "corrections")
        return { "--out", "--manifest", "--text-column" };
    if (isOwnList(corpus))
        return { "--out", "--" + corpus, "--audio-root", "--lang", "--keep-text",
            "--no-checksums" };
    if (corpus == "libriheavy")
        return { "--out", "--corpus", "--audio-root", "--no-checksums" };
    Options options { "--out", "--corpus", "--keep-text", "--no-checksums" };
    if (corpus == "kaldi")
        options.emplace_back("--audio-root");
    return options;
}

/// The first word that is meant for an option and is none; "" where there is none. Looked for
/// before the words are parsed, which would take the word behind it for its value.
std::string strangeOption(const std::vector<std::string>& words)
{
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(0, words[i].find('='));
        const bool isMeantForOne = name != words[i] || name.starts_with('-');
        if (contains(kValued, name))
            i += name == words[i] ? 1 : 0;
        else if (isMeantForOne && !contains(kFlags, words[i]))
            return name;
    }
    return "";
}

/// With what may have been meant.
std::string unknownOption(const std::string& name)
{
    Options all = kValued;
    all.insert(all.end(), kFlags.begin(), kFlags.end());
    const std::string meant = nearestOption(name, all);
    return "unknown option " + name + (meant.empty() ? "" : "; did you mean " + meant + "?");
}

/// What is wrong with the options of a corpus; "" where nothing is.
std::string complaint(const std::string& corpus, const Arguments& arguments)
{
    const Options taken = optionsOf(corpus);
    for (const auto& [option, value] : arguments.options)
        if (!contains(taken, option))
            return "'" + corpus + "' takes no " + option + ", but " + join(taken, ", ");
    if (isOwnList(corpus) && corpusPath(corpus, arguments).empty())
        return "name the list with --" + corpus + " FILE";
    if (corpus == "corrections" && !arguments.has("--manifest"))
        return "name the manifest with --manifest FILE, and the new one with --out FILE";
    return "";
}

/// A new manifest of what people noted beside an old one.
Result<std::string> prepareCorrections(const Arguments& arguments)
{
    const std::string out = *arguments.option("--out");
    const std::string manifest = *arguments.option("--manifest");
    settings::ManifestColumns columns;
    if (const auto column = arguments.option("--text-column")) {
        if (data::isListOfLines(manifest))
            return Error { inQuotes(manifest)
                + " has its texts in \"target\", as all JSON Lines: leave out --text-column" };
        columns.text = { *column };
    }
    const Result<data::AmendedManifest> written
        = data::writeAmendedManifest(manifest, out, columns);
    if (!written)
        return written.error();
    return inQuotes(out) + ": rows " + std::to_string(written->rows) + ", corrected "
        + std::to_string(written->corrected) + ", left out " + std::to_string(written->leftOut)
        + "\n";
}

} // namespace

int runPrepare(const std::vector<std::string>& words)
{
    if (const std::string strange = strangeOption(words); !strange.empty())
        return usageError("prepare", unknownOption(strange));
    const Result<Arguments> arguments = parseArguments(words, kValued, kFlags, 1);
    if (!arguments || arguments->positional.empty() || !arguments->has("--out"))
        return usageError(
            "prepare", arguments ? "name the corpus and --out DIR" : arguments.error().message);
    const std::string corpus = nameOf(arguments->positional.front());
    if (!isKnown(corpus))
        return usageError("prepare",
            "unknown corpus '" + corpus + "': prompts, corrections, csv, json, "
                + join(data::corpusNames(), ", "));
    if (const std::string wrong = complaint(corpus, *arguments); !wrong.empty())
        return usageError("prepare", wrong);
    const Result<std::string> report
        = corpus == "corrections" ? prepareCorrections(*arguments) : reportOf(corpus, *arguments);
    if (!report) {
        std::cerr << "earwright: " << report.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cout << *report;
    return engine::kDone;
}

} // namespace earwright::cli
