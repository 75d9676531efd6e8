#include "core/base/file.h"
#include "core/data/label_codec.h"
#include "core/data/prepare/text_file.h"
#include "core/data/text_encoder.h"
#include "core/data/token_list.h"

#include <utility>

// How an encoder is written to a file and read from it.

namespace earwright::data {
namespace {

/// Of byte pairs or word pieces; the name of FunASR's list is another.
bool isTokenizerJson(const std::filesystem::path& path)
{
    return path.filename() == "tokenizer.json";
}

/// A label's line begins with a quote, a list of tokens with "<blank>".
bool isTokenList(const std::filesystem::path& path, std::string_view text)
{
    return path.extension() == ".json" || text.starts_with('<');
}

/// "" where there is none.
Result<std::string> segDictBeside(const std::filesystem::path& list, const char* name)
{
    const std::filesystem::path file = list.parent_path() / name;
    return isFile(file) ? readText(file) : std::string();
}

Result<TextEncoder> fromTokenizerJson(
    const std::string& json, const settings::SpecialLabels& special)
{
    if (WordPieces::isOne(json)) {
        Result<WordPieces> pieces = WordPieces::parse(json);
        return pieces ? TextEncoder::fromWordPieces(std::move(*pieces), special) : pieces.error();
    }
    Result<BytePairs> pairs = BytePairs::parse(json);
    return pairs ? Result<TextEncoder>(TextEncoder::fromBytePairs(std::move(*pairs)))
                 : pairs.error();
}

} // namespace

Result<TextEncoder> TextEncoder::load(
    const std::filesystem::path& path, const settings::SpecialLabels& special)
{
    Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    if (path.extension() == ".model") {
        Result<SentencePiece> model = SentencePiece::parse(std::move(*text));
        Result<TextEncoder> encoder
            = model ? fromPieces(std::move(*model), special) : model.error();
        return encoder ? std::move(encoder)
                       : Error { "tokenizer '" + path.string() + "': " + encoder.error().message };
    }
    if (isTokenizerJson(path)) {
        Result<TextEncoder> encoder = fromTokenizerJson(*text, special);
        return encoder ? std::move(encoder)
                       : Error { "tokenizer '" + path.string() + "': " + encoder.error().message };
    }
    if (isTokenList(path, *text)) {
        const Result<Vocabulary> list = readTokenList(path);
        const Result<std::string> words = segDictBeside(path, LabelTable::kSegDict);
        if (!list || !words)
            return list ? words.error() : list.error();
        Result<LabelTable> table = labelsOfList(*list, *words);
        if (!table)
            return Error { "token list '" + path.string() + "': " + table.error().message };
        return fromLabels(LabelCodec(std::move(*table)));
    }
    if (const Status checked = checkText(*text, path); !checked)
        return Error { "label encoder " + checked.error().message };
    Result<LabelTable> table = parseLabels(*text);
    if (!table)
        return Error { "label encoder '" + path.string() + "', " + table.error().message };
    return fromLabels(LabelCodec(std::move(*table)));
}

Status TextEncoder::save(const std::filesystem::path& path) const
{
    return writeFileAtomically(path, fileText());
}

} // namespace earwright::data
