#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/lm_texts.h"
#include "app/cli/lmplz.h"
#include "app/cli/outputs.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

namespace {

constexpr int64_t kLeastOrder = 2; // its reader takes no model of single words
constexpr int64_t kMostOrder = 6; // KenLM is built for so many

/// The texts of all sources; what is to be known of them goes to standard error.
Result<std::vector<LmTexts>> readSources(const std::vector<std::string>& sources, LineIds ids)
{
    std::vector<LmTexts> all;
    for (const std::string& source : sources) {
        auto texts = lmTexts(source, ids);
        if (!texts)
            return texts.error();
        if (!texts->note.empty())
            std::cerr << "earwright: " << source << ": " << texts->note << "\n";
        all.push_back(std::move(*texts));
    }
    return all;
}

/// As asked; else of texts whose words nothing separates.
bool takesCharacters(const Arguments& arguments, const std::vector<LmTexts>& sources)
{
    if (arguments.has("--characters") || arguments.has("--words"))
        return arguments.has("--characters");
    std::vector<std::string> lines;
    for (const LmTexts& source : sources)
        lines.insert(lines.end(), source.lines.begin(), source.lines.end());
    const bool areSentences = areUnspaced(lines);
    if (areSentences)
        std::cerr << "earwright: the texts have no blanks between words: each character is a word, "
                     "as with --characters (--words takes what stands between blanks)\n";
    return areSentences;
}

Status addSentences(const std::string& source, const std::vector<std::string>& lines,
    bool byCharacter, std::vector<std::string>& sentences)
{
    for (size_t line = 0; line < lines.size(); ++line) {
        const std::string words = lmSentence(lines[line], byCharacter);
        for (const char* marker : { "<s>", "</s>", "<unk>" }) {
            if ((" " + words + " ").find(std::string(" ") + marker + " ") != std::string::npos)
                return Error { source + ", sentence " + std::to_string(line + 1) + ": '" + marker
                    + "' is no word: n-grams mark the ends of a sentence and unknown words by it" };
        }
        if (!words.empty())
            sentences.push_back(words);
    }
    return Done {};
}

/// All that is wrong with it is the texts'.
Status readSentences(const Arguments& arguments, std::vector<std::string>& sentences)
{
    const auto texts = readSources(
        arguments.positional, arguments.has("--no-ids") ? LineIds::None : LineIds::Recognised);
    if (!texts)
        return texts.error();
    const bool byCharacter = takesCharacters(arguments, *texts);
    for (size_t i = 0; i < texts->size(); ++i) {
        const Status added
            = addSentences(arguments.positional[i], (*texts)[i].lines, byCharacter, sentences);
        if (!added)
            return added;
    }
    return sentences.empty() ? Status(Error { "there is no sentence to train on" }) : Done {};
}

/// What is wrong with the words of the command; "" = nothing.
std::string lmMisuse(const Arguments& arguments)
{
    if (arguments.positional.empty() || !arguments.has("--out"))
        return "name a manifest or a text and --out FILE";
    if (arguments.has("--characters") && arguments.has("--words"))
        return "--characters and --words exclude each other";
    const Output out { "--out", *arguments.option("--out") };
    if (const Status file = becomesFile(out); !file)
        return file.error().message;
    const Status spared = sparesInputs(out, arguments.positional);
    return spared ? "" : spared.error().message;
}

Result<NgramTraining> trainingFrom(const Arguments& arguments)
{
    NgramTraining training;
    training.out = *arguments.option("--out");
    training.memory = arguments.option("--memory").value_or(training.memory);
    const auto order = parseNumber<int64_t>(arguments.option("--order").value_or("3"));
    if (!order || *order < kLeastOrder || *order > kMostOrder)
        return Error { "--order takes a number from " + std::to_string(kLeastOrder) + " to "
            + std::to_string(kMostOrder) };
    training.order = *order;
    for (const std::string& threshold : split(arguments.option("--prune").value_or(""), ' ')) {
        if (threshold.empty())
            continue;
        const auto count = parseNumber<int64_t>(threshold);
        if (!count || *count < 0 || std::ssize(training.prune) == training.order
            || (!training.prune.empty() && *count < training.prune.back()))
            return Error { "--prune takes a count for each order at most, none less than the one "
                           "before, such as \"0 0 1\"" };
        training.prune.push_back(*count);
    }
    return training;
}

} // namespace

int runLm(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words,
        { "--out", "--order", "--prune", "--memory" }, { "--characters", "--words", "--no-ids" });
    if (!arguments)
        return usageError("lm", arguments.error().message);
    if (const std::string wrong = lmMisuse(*arguments); !wrong.empty())
        return usageError("lm", wrong);
    Result<NgramTraining> training = trainingFrom(*arguments);
    if (!training)
        return usageError("lm", training.error().message);
    if (const Status read = readSentences(*arguments, training->sentences); !read) {
        std::cerr << "earwright: " << read.error().message << "\n";
        return engine::kRecipeErrors;
    }
    catchInterrupts();
    const Result<NgramTrained> trained = trainNgram(*training);
    if (interruptCount() > 0 && !trained) {
        std::cerr << "earwright: stopped, nothing was written\n";
        return engine::kStopped;
    }
    if (!trained) {
        std::cerr << "earwright: " << trained.error().message << "\n";
        return engine::kFailed;
    }
    if (trained->usedFallbackDiscounts)
        std::cerr
            << "earwright: too few sentences, or too many alike, to estimate how much to discount "
               "what was seen: usual discounts were taken\n";
    std::cout << training->out.string() << ": order " << training->order << ", "
              << training->sentences.size() << " sentences, " << trained->words
              << " words with <s> and </s>\n";
    return engine::kDone;
}

} // namespace earwright::cli
