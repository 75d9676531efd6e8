#include "core/adapter/tokenizer_keys.h"

#include "core/base/text.h"
#include "core/recipe/value_at.h"

#include <algorithm>
#include <filesystem>

namespace earwright::adapter {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr const char* kCharacters = "funasr.tokenizer.char_tokenizer.CharTokenizer";
constexpr const char* kPieces = "funasr.tokenizer.sentencepiece_tokenizer.SentencepiecesTokenizer";

void writePieces(const Entry& tokenizer, const std::string& model, RecipeText& recipe)
{
    const NodePtr object = emptyMapping();
    object->tag = "!new:sentencepiece.SentencePieceProcessor";
    object->entries = { { recipe::makeScalar("model_file"), recipe::makeScalar(model) } };
    recipe.put("tokenizer", object, recipe.placeOf(tokenizer));
}

/// How words are cut is read beside the token list, under the name that released models give it.
void checkWords(const Entry& argument, const std::string& list, RecipeText& recipe)
{
    const std::string& file = argument.value->text;
    if (recipe::isNull(*argument.value)
        || file == std::filesystem::path(list).replace_filename("seg_dict"))
        return;
    recipe.refuse(argument,
        inQuotes(argument.key->text) + " is left out: put " + inQuotes(file)
            + " beside the token list as 'seg_dict', where it is read");
}

void writeCharacters(const Entry& tokenizer, RecipeText& recipe)
{
    const std::string list = recipe::textAt(*tokenizer.value, "token_list");
    if (list.empty())
        recipe.warn(tokenizer,
            "'tokenizer' is left out, as its token list is not in the configuration: set "
            "'label_encoder_file' to it, or the characters of the training texts are numbered");
    else
        recipe.put("label_encoder_file", recipe::makeScalar(list),
            recipe.placeOf(tokenizer) + ", its token list");
    for (const Entry& argument : tokenizer.value->entries)
        if (argument.key->text == "seg_dict" || argument.key->text == "seg_dict_file")
            checkWords(argument, list, recipe);
}

/// Null where the configuration has no such section.
const Entry* tokenizerOf(const Node& adapted)
{
    const auto found = std::find_if(adapted.entries.begin(), adapted.entries.end(),
        [](const Entry& entry) { return entry.key->text == "tokenizer"; });
    return found == adapted.entries.end() ? nullptr : &*found;
}

} // namespace

bool writeTokenizer(const Entry& tokenizer, RecipeText& recipe)
{
    const auto name = recipe::nameClass(*tokenizer.value);
    const std::string model = recipe::textAt(*tokenizer.value, "bpemodel");
    if (name == kCharacters)
        writeCharacters(tokenizer, recipe);
    else if (name == kPieces && !model.empty())
        writePieces(tokenizer, model, recipe);
    else
        return false;
    return true;
}

void writeTokenCount(const Node& adapted, const TokenCount& count, RecipeText& recipe)
{
    if (!recipe.refersTo("vocab_size") || recipe.has("vocab_size"))
        return;
    const Entry* const tokenizer = tokenizerOf(adapted);
    const std::string pieces = recipe::textAt(adapted, "tokenizer.bpemodel");
    const bool isOfPieces
        = !pieces.empty() || (tokenizer && recipe::nameClass(*tokenizer->value) == kPieces);
    const std::string list = isOfPieces ? pieces : recipe::textAt(adapted, "tokenizer.token_list");
    Result<int64_t> tokens = Error { isOfPieces
            ? "the tokenizer's model is not in the configuration, so the number of its pieces is "
              "not known"
            : "the number of tokens is not in the configuration" };
    if (count && !list.empty())
        tokens = count(list);
    recipe.put("vocab_size", recipe::makeScalar(std::to_string(tokens ? *tokens : -1)),
        isOfPieces ? "the number of pieces of the tokenizer"
                   : "the number of tokens of the token list");
    if (!tokens)
        recipe.warn(isOfPieces && tokenizer ? *tokenizer : adapted.entries.front(),
            tokens.error().message + "; set 'vocab_size'");
}

} // namespace earwright::adapter
