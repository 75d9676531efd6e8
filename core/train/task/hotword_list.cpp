#include "core/train/task/hotword_list.h"

#include "core/base/text.h"
#include "core/decode/hotwords.h"
#include "core/settings/hotword_file.h"

namespace earwright::train {

namespace {

void addPhrase(std::vector<std::string>& phrases, std::string_view text)
{
    if (!trim(text).empty())
        phrases.emplace_back(trim(text));
}

} // namespace

Result<std::vector<std::string>> recipeHotwords(const recipe::Node& recipe)
{
    std::vector<std::string> phrases;
    const recipe::NodePtr key = recipe::find(recipe, "hotword");
    if (!key || recipe::isNull(*key))
        return phrases;
    if (key->kind == recipe::Kind::Sequence) {
        for (const recipe::NodePtr& item : key->items)
            addPhrase(phrases, recipe::asString(*item));
        return phrases;
    }
    const std::string fileOrWords = recipe::asString(*key);
    if (settings::namesHotwordFile(fileOrWords)) {
        const auto read = decode::readHotwords(fileOrWords, 1.0);
        if (!read)
            return Error { "hotword: " + read.error().message };
        for (const decode::Hotword& hotword : *read)
            addPhrase(phrases, hotword.text);
        return phrases;
    }
    for (const std::string& word : split(fileOrWords, ' '))
        addPhrase(phrases, word);
    return phrases;
}

std::string leftOutText(const std::vector<std::string>& phrases)
{
    return phrases.empty()
        ? ""
        : "hotwords that the model does not listen for, since none of its tokens "
          "stands for one of their words or characters: "
            + join(phrases, ", ");
}

} // namespace earwright::train
