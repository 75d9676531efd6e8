#include "core/data/learnt_texts.h"

#include "core/base/text.h"
#include "core/data/text_column.h"

#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace earwright::data {
namespace {

/// "a p p l e _ i s" as "apple is".
std::string mergeCharacters(const std::string& text)
{
    return join(split(join(splitAtBlanks(text), ""), '_'), " ");
}

} // namespace

Result<std::vector<std::string>> textsToLearn(
    const catalog::SentencePieceConfig& config, std::vector<std::string> trainingTexts)
{
    Result<std::vector<std::string>> texts = std::move(trainingTexts);
    std::error_code error;
    if (config.textFile && std::filesystem::exists(*config.textFile, error))
        texts = readLines(*config.textFile);
    else if (config.annotationTrain)
        texts = readTextColumn(*config.annotationTrain, config.annotationRead.value_or("wrd"));
    if (!texts)
        return texts.error();
    // Upstream breaks off after one more than it was told.
    if (config.numSequences && std::ssize(*texts) > *config.numSequences + 1)
        texts->resize(static_cast<size_t>(*config.numSequences) + 1);
    if (config.charFormatInput)
        for (std::string& text : *texts)
            text = mergeCharacters(text);
    return texts;
}

LearntTexts learntTexts(const std::vector<std::string>& texts, size_t mostBytes)
{
    std::unordered_set<std::string_view> seen;
    std::vector<const std::string*> ordered;
    std::vector<const std::string*> repeats;
    for (const std::string& text : texts)
        (seen.insert(text).second ? ordered : repeats).push_back(&text);
    ordered.insert(ordered.end(), repeats.begin(), repeats.end());
    LearntTexts learnt;
    size_t bytes = 0;
    for (const std::string* text : ordered) {
        bytes += text->size();
        if (!learnt.texts.empty() && bytes > mostBytes)
            return { std::move(learnt.texts), true };
        learnt.texts.push_back(*text);
    }
    return learnt;
}

} // namespace earwright::data
