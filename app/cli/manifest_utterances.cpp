#include "app/cli/manifest_utterances.h"

#include "app/cli/command.h"
#include "app/cli/manifest_table.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

namespace {

/// Those that go with --manifest.
const Names kManifestOptions { "--manifest", "--format", "--tokenizer", "--overlap", "--sounds",
    "--data-root" };

std::string manifestMisuse(const Arguments& given)
{
    for (const auto& [option, value] : given.options)
        if (!contains(kManifestOptions, option))
            return "--manifest goes with " + join(kManifestOptions, ", ") + ", not with " + option;
    if (!given.positional.empty())
        return "name a run or --manifest FILE, not both";
    const std::string format = given.option("--format").value_or("csv");
    return format == "csv" || format == "json" ? ""
                                               : "--format is csv or json, not " + inQuotes(format);
}

int manifestFailed(const Error& error)
{
    std::cerr << "earwright: " << error.message << "\n";
    return engine::kRecipeErrors;
}

} // namespace

int printManifest(const Arguments& given)
{
    if (const std::string wrong = manifestMisuse(given); !wrong.empty())
        return usageError("utterances", wrong);
    data::SurveyOptions options { .dataRoot = given.option("--data-root").value_or(""),
        .other = given.option("--overlap").value_or(""),
        .readsSounds = given.has("--sounds") };
    std::optional<data::TextEncoder> encoder;
    if (const auto file = given.option("--tokenizer")) {
        Result<data::TextEncoder> loaded = data::TextEncoder::load(*file);
        if (!loaded)
            return manifestFailed(loaded.error());
        encoder = std::move(*loaded);
        options.encoder = &*encoder;
    }
    const Result<data::ManifestSurvey> survey
        = data::surveyManifest(*given.option("--manifest"), options);
    if (!survey)
        return manifestFailed(survey.error());
    std::cout << manifestTable(*survey, given.option("--format").value_or("csv"));
    std::cerr << manifestSummary(*survey, options);
    return engine::kDone;
}

} // namespace earwright::cli
