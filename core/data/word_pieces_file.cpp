#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/tokenizer_json.h"
#include "core/data/word_piece_tables.h"

#include <map>

// How word pieces are read from the files of a folder of the Hub, and written for a run.

namespace earwright::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWordPieceJson = "tokenizer.json";
constexpr const char* kWordPieceLines = "vocab.txt";
constexpr const char* kWordPieceConfig = "tokenizer_config.json";
constexpr const char* kWordPieceModel = "WordPiece";
constexpr const char* kSpecialPieces[] = { "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]" };

using PieceIndices = std::map<std::string, int64_t>;

Error inPieceFile(const fs::path& file, const std::string& what)
{
    return Error { inQuotes(file.string()) + ": " + what };
}

Result<PieceIndices> indicesOfLines(const std::string& text)
{
    if (brokenUtf8At(text) != std::string::npos)
        return Error { "it is no UTF-8" };
    std::vector<std::string> lines = split(text, '\n');
    if (!lines.empty() && lines.back().empty())
        lines.pop_back();
    PieceIndices indices;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].ends_with('\r'))
            lines[i].pop_back();
        if (!indices.emplace(lines[i], static_cast<int64_t>(i)).second)
            return Error { atLine(static_cast<int>(i) + 1) + "the token " + inQuotes(lines[i])
                + " is there twice; take the vocab.txt that came with the model" };
    }
    return indices;
}

Result<PieceIndices> indicesOfJson(const Json& model)
{
    PieceIndices indices;
    for (const auto& [name, index] : jsonMember(model, "vocab").items()) {
        if (!index.is_number_integer())
            return Error { "token " + inQuotes(name) + " has no index" };
        indices.emplace(name, index.get<int64_t>());
    }
    return indices;
}

/// A value of tokenizer_config.json; none where it is null or missing.
Result<std::optional<bool>> givenSwitch(const Json& config, const char* name)
{
    const Json& value = jsonMember(config, name);
    if (value.is_null())
        return std::optional<bool>();
    if (!value.is_boolean())
        return Error { std::string(name) + " must be true, false or null" };
    return std::optional(value.get<bool>());
}

Result<WordPieceRules> rulesOf(const Json& settings, const char* lowerCase, const char* ideographs)
{
    const auto isLower = givenSwitch(settings, lowerCase);
    const auto strips = givenSwitch(settings, "strip_accents");
    const auto splits = givenSwitch(settings, ideographs);
    for (const auto* one : { &isLower, &strips, &splits })
        if (!*one)
            return one->error();
    return WordPieceRules { .lowerCase = isLower->value_or(true),
        .stripAccents = *strips,
        .splitIdeographs = splits->value_or(true) };
}

/// The model's section; null of what holds another model.
const Json& modelOf(const Json& json)
{
    static const Json kNone;
    const Json& model = jsonMember(json, "model");
    return jsonText(jsonMember(model, "type")) == kWordPieceModel ? model : kNone;
}

} // namespace

struct WordPieces::Builder {
    static Result<WordPieces> build(const PieceIndices& indices, const WordPieceRules& rules)
    {
        auto tables = std::make_shared<Tables>();
        tables->rules = rules;
        tables->tokens.resize(indices.size());
        std::vector<bool> isGiven(indices.size());
        for (const auto& [name, index] : indices) {
            if (index < 0 || index >= std::ssize(isGiven) || isGiven[static_cast<size_t>(index)])
                return Error { "the indices are not each of 0 to "
                    + std::to_string(indices.size() - 1) + ": " + inQuotes(name) + " has "
                    + std::to_string(index) };
            isGiven[static_cast<size_t>(index)] = true;
            tables->tokens[static_cast<size_t>(index)] = name;
            tables->indexOf.emplace(name, index);
        }
        if (const Status found = findSpecial(*tables); !found)
            return found.error();
        WordPieces pieces(tables);
        tables->spelt = pieces.spellings();
        return pieces;
    }

    /// A vocabulary need not have [MASK], which no text of a training has.
    static Status findSpecial(Tables& tables)
    {
        int64_t* const places[] = { &tables.pad, &tables.unknown, &tables.begin, &tables.end };
        for (size_t i = 0; i < std::size(kSpecialPieces); ++i) {
            const auto at = tables.indexOf.find(kSpecialPieces[i]);
            if (at == tables.indexOf.end() && i < std::size(places))
                return Error { std::string("it has no token ") + kSpecialPieces[i]
                    + ", which BERT's tokenizer needs" };
            if (at == tables.indexOf.end())
                continue;
            tables.special.emplace_back(kSpecialPieces[i], at->second);
            if (i < std::size(places))
                *places[i] = at->second;
        }
        return Done {};
    }
};

bool WordPieces::isOne(const std::string& json)
{
    return !modelOf(parseShallow<Json>(json)).is_null();
}

Result<WordPieces> WordPieces::parse(const std::string& json)
{
    const Json parsed = parseShallow<Json>(json);
    const Json& model = modelOf(parsed);
    if (model.is_null())
        return Error { "it holds no model of word pieces (its type is not WordPiece)" };
    const Result<PieceIndices> indices = indicesOfJson(model);
    const Result<WordPieceRules> rules
        = rulesOf(jsonMember(parsed, "normalizer"), "lowercase", "handle_chinese_chars");
    if (!indices || !rules)
        return indices ? rules.error() : indices.error();
    return Builder::build(*indices, *rules);
}

Result<WordPieces> WordPieces::read(const fs::path& folder)
{
    const bool isJson = isFile(folder / kWordPieceJson);
    const fs::path file = folder / (isJson ? kWordPieceJson : kWordPieceLines);
    if (!isFile(file))
        return inPieceFile(folder,
            "it has no tokenizer: fetch vocab.txt (or tokenizer.json) and "
            "tokenizer_config.json into it");
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    const Json model = isJson ? modelOf(parseShallow<Json>(*text)) : Json();
    if (isJson && model.is_null())
        return inPieceFile(file, "it holds no model of word pieces (its type is not WordPiece)");
    const Result<PieceIndices> indices = isJson ? indicesOfJson(model) : indicesOfLines(*text);
    if (!indices)
        return inPieceFile(file, indices.error().message);
    Json config;
    if (const fs::path settings = folder / kWordPieceConfig; isFile(settings)) {
        const Result<std::string> given = readFile(settings);
        if (!given)
            return given.error();
        config = parseShallow<Json>(*given);
        if (!config.is_object())
            return inPieceFile(settings, "it is no JSON object");
    }
    const Result<WordPieceRules> rules = rulesOf(config, "do_lower_case", "tokenize_chinese_chars");
    if (!rules)
        return inPieceFile(folder / kWordPieceConfig, rules.error().message);
    Result<WordPieces> pieces = Builder::build(*indices, *rules);
    return pieces ? std::move(pieces) : inPieceFile(file, pieces.error().message);
}

std::string WordPieces::fileText() const
{
    Json added = Json::array();
    for (const auto& [name, index] : m_tables->special)
        added.push_back(
            { { "id", index }, { "content", name }, { "single_word", false }, { "lstrip", false },
                { "rstrip", false }, { "normalized", false }, { "special", true } });
    const auto special = [](const char* name) {
        return Json { { "SpecialToken", { { "id", name }, { "type_id", 0 } } } };
    };
    const auto sequence = [](const char* name) {
        return Json { { "Sequence", { { "id", name }, { "type_id", 0 } } } };
    };
    const Json one = Json::array({ special("[CLS]"), sequence("A"), special("[SEP]") });
    Json two = one; // which the library wants; no text has two parts
    two.push_back(sequence("B"));
    two.push_back(special("[SEP]"));
    const auto ids = [](const char* name, int64_t index) {
        return Json { { "id", name }, { "ids", Json::array({ index }) },
            { "tokens", Json::array({ name }) } };
    };
    const WordPieceRules& rules = m_tables->rules;
    const Json strips = rules.stripAccents ? Json(*rules.stripAccents) : Json(nullptr);
    const Json json { { "version", "1.0" }, { "truncation", nullptr }, { "padding", nullptr },
        { "added_tokens", added },
        { "normalizer",
            { { "type", "BertNormalizer" }, { "clean_text", true },
                { "handle_chinese_chars", rules.splitIdeographs }, { "strip_accents", strips },
                { "lowercase", rules.lowerCase } } },
        { "pre_tokenizer", { { "type", "BertPreTokenizer" } } },
        { "post_processor",
            { { "type", "TemplateProcessing" }, { "single", one }, { "pair", two },
                { "special_tokens",
                    { { "[CLS]", ids("[CLS]", m_tables->begin) },
                        { "[SEP]", ids("[SEP]", m_tables->end) } } } } },
        { "decoder", { { "type", "WordPiece" }, { "prefix", "##" }, { "cleanup", true } } },
        { "model",
            { { "type", kWordPieceModel }, { "unk_token", "[UNK]" },
                { "continuing_subword_prefix", "##" }, { "max_input_chars_per_word", 100 },
                { "vocab", m_tables->indexOf } } } };
    return json.dump();
}

} // namespace earwright::data
