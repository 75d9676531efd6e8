#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/file_counter.h"
#include "core/data/fine_tuning.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

namespace {

const std::vector<std::string> kNewValued { "--from", "--data", "--out", "--vocab", "--language" };

/// What is wrong with the words; "" = nothing.
std::string newMisuse(const Result<Arguments>& arguments)
{
    if (!arguments)
        return arguments.error().message;
    for (const char* option : { "--from", "--data", "--out" })
        if (!arguments->has(option))
            return std::string("name the model, the data and the recipe: ") + option
                + " is missing";
    const std::string vocabulary = arguments->option("--vocab").value_or("replace");
    return vocabulary == "keep" || vocabulary == "replace"
        ? ""
        : "--vocab is keep or replace, not '" + vocabulary + "'";
}

} // namespace

int runNew(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, kNewValued, { "--keep-text" }, 0);
    if (const std::string wrong = newMisuse(arguments); !wrong.empty())
        return usageError("new", wrong);
    const auto vocabulary = arguments->option("--vocab");
    const auto keeps = vocabulary ? std::optional(*vocabulary == "keep") : std::nullopt;
    const Result<data::FineTuningFiles> written = [&] {
        FileCounter counter("read");
        return data::writeFineTuning({ .source = *arguments->option("--from"),
                                         .data = *arguments->option("--data"),
                                         .recipe = *arguments->option("--out"),
                                         .keepsVocabulary = keeps,
                                         .keepsText = arguments->has("--keep-text"),
                                         .language = arguments->option("--language").value_or("") },
            counter.counting());
    }();
    if (!written) {
        std::cerr << "earwright: " << written.error().message << "\n";
        return engine::kRecipeErrors;
    }
    for (const std::string& note : written->notes)
        std::cout << note << (note.ends_with('\n') ? "" : "\n");
    for (const std::filesystem::path& file : written->files)
        std::cout << "wrote " << file.string() << "\n";
    return engine::kDone;
}

} // namespace earwright::cli
