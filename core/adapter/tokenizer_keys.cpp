#include "core/adapter/tokenizer_keys.h"

#include "core/base/text.h"
#include "core/recipe/value_at.h"

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
    const NodePtr object = std::make_shared<Node>();
    object->kind = recipe::Kind::Mapping;
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
    const std::string pieces = recipe::textAt(adapted, "tokenizer.bpemodel");
    const std::string list
        = pieces.empty() ? recipe::textAt(adapted, "tokenizer.token_list") : pieces;
    Result<int64_t> tokens = Error { "the number of tokens is not in the configuration" };
    if (count && !list.empty())
        tokens = count(list);
    recipe.put("vocab_size", recipe::makeScalar(std::to_string(tokens ? *tokens : -1)),
        pieces.empty() ? "the number of tokens of the token list"
                       : "the number of pieces of the tokenizer");
    if (!tokens)
        recipe.warn(adapted.entries.front(), tokens.error().message + "; set 'vocab_size'");
}

} // namespace earwright::adapter
