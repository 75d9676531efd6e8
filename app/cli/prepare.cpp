#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/data/prepare/fsdd.h"
#include "core/data/prepare/own_csv.h"
#include "core/data/prepare/prompts.h"
#include "core/data/prepare/speech_commands.h"
#include "core/engine/rank_main.h"

#include <iostream>
#include <map>

namespace kymo::cli {

namespace {

/// The voices' folders of Debian's packages.
const std::map<std::string, std::string> kVoices { { "en", "en_US_f_Allison" },
    { "es", "es_MX_f_Allison" }, { "fr", "fr_CA_f_June" }, { "it", "it_IT_m_Carlo" },
    { "ru", "ru_RU_f_IvrvoiceRU" } };

Result<data::PrepareReport> preparePrompts(const Arguments& arguments, const std::string& out)
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

Result<data::PrepareReport> prepare(const Arguments& arguments)
{
    const std::string& corpus = arguments.positional.front();
    const std::string out = *arguments.option("--out");
    if (corpus == "prompts")
        return preparePrompts(arguments, out);
    if (corpus == "speech-commands")
        return data::prepareSpeechCommands(
            { .folder = arguments.option("--corpus").value_or("."), .outFolder = out });
    if (corpus == "fsdd")
        return data::prepareFsdd(arguments.option("--corpus").value_or("."), out);
    if (corpus == "csv")
        return data::prepareOwnCsv(
            { .file = arguments.option("--csv").value_or(""), .outFolder = out });
    return Error { "unknown corpus '" + corpus + "': prompts, speech-commands, fsdd or csv" };
}

} // namespace

int runPrepare(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(
        words, { "--lang", "--sounds", "--transcripts", "--corpus", "--csv", "--out" }, {}, 1);
    if (!arguments || arguments->positional.empty() || !arguments->has("--out"))
        return usageError(
            "prepare", arguments ? "name the corpus and --out DIR" : arguments.error().message);
    const Result<data::PrepareReport> report = prepare(*arguments);
    if (!report) {
        std::cerr << "kymo: " << report.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cout << report->text();
    return engine::kDone;
}

} // namespace kymo::cli
