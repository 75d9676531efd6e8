#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/text_file.h"
#include "core/data/python_literal.h"
#include "core/data/text_encoder.h"
#include "core/data/token_list.h"

#include <algorithm>
#include <optional>
#include <utility>

// How an encoder is written to a file and read from it.

namespace earwright::data {
namespace {

constexpr std::string_view kSeparator = " => ";
constexpr std::string_view kRule = "================";

struct EncoderLine {
    std::string label;
    std::string_view value;
};

Result<EncoderLine> parseLine(std::string_view line)
{
    const std::optional<PythonString> label = parsePythonString(line);
    if (!label)
        return Error { "expected a label in quotes, as in 'a' => 1" };
    const std::string_view rest = line.substr(label->length);
    if (rest.substr(0, kSeparator.size()) != kSeparator)
        return Error { "expected ' => ' after the label" };
    return EncoderLine { label->value, trim(rest.substr(kSeparator.size())) };
}

std::optional<int64_t> parseIndex(std::string_view text)
{
    const auto index = parseNumber<int64_t>(text);
    return index && *index >= 0 ? index : std::nullopt;
}

/// The name of FunASR's list is another.
bool isBytePairs(const std::filesystem::path& path)
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
    if (isBytePairs(path)) {
        Result<BytePairs> pairs = BytePairs::parse(*text);
        return pairs ? Result<TextEncoder>(fromBytePairs(std::move(*pairs)))
                     : Error { "tokenizer '" + path.string() + "': " + pairs.error().message };
    }
    if (isTokenList(path, *text)) {
        const Result<Vocabulary> list = readTokenList(path);
        const Result<std::string> words = segDictBeside(path, kSegDict);
        if (!list || !words)
            return list ? words.error() : list.error();
        Result<TextEncoder> encoder = fromTokens(*list, *words);
        return encoder ? std::move(encoder)
                       : Error { "token list '" + path.string() + "': " + encoder.error().message };
    }
    if (const Status checked = checkText(*text, path); !checked)
        return Error { "label encoder " + checked.error().message };
    Result<TextEncoder> encoder = parse(*text);
    if (!encoder)
        return Error { "label encoder '" + path.string() + "', " + encoder.error().message };
    return encoder;
}

Result<TextEncoder> TextEncoder::fromTokens(const Vocabulary& list, const std::string& segDict)
{
    TextEncoder encoder;
    for (const std::string& token : list.labels) {
        encoder.m_fileOrder.push_back(std::ssize(encoder.m_fileOrder));
        encoder.m_indexOf.emplace(token, encoder.m_fileOrder.back());
    }
    const auto note = [&](const char* extra, const std::optional<int64_t>& index) {
        if (index)
            encoder.m_extras.emplace_back(
                extra, pythonRepr(list.labels[static_cast<size_t>(*index)]));
    };
    note("unk_label", list.unknown);
    encoder.m_extras.emplace_back("starting_index", "0");
    note("bos_label", list.bos);
    note("eos_label", list.eos);
    note("blank_label", list.blank);
    if (!segDict.empty())
        encoder.m_extras.emplace_back(kSegDict, pythonRepr(segDict));
    if (const Status done = encoder.finish(); !done)
        return done.error();
    return encoder;
}

Result<TextEncoder> TextEncoder::parse(std::string_view text)
{
    TextEncoder encoder;
    bool isExtra = false;
    const std::vector<std::string> lines = split(text, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trim(lines[i]).empty())
            continue;
        if (trim(lines[i]) == kRule) {
            isExtra = true;
            continue;
        }
        const Status status = isExtra ? encoder.addExtra(lines[i]) : encoder.add(lines[i]);
        if (!status)
            return Error { atLine(static_cast<int>(i + 1)) + status.error().message };
    }
    if (Status status = encoder.finish(); !status)
        return status.error();
    return encoder;
}

Status TextEncoder::add(std::string_view line)
{
    Result<EncoderLine> parsed = parseLine(line);
    if (!parsed)
        return parsed.error();
    const std::optional<int64_t> index = parseIndex(parsed->value);
    const std::string value(parsed->value);
    if (!index || *index > static_cast<int64_t>(1) << 24)
        return Error { "'" + value + "' is no index" };
    if (!m_indexOf.emplace(parsed->label, *index).second)
        return Error { "the label '" + parsed->label + "' is there twice" };
    if (std::find(m_fileOrder.begin(), m_fileOrder.end(), *index) != m_fileOrder.end())
        return Error { "the index " + std::to_string(*index) + " is there twice" };
    m_fileOrder.push_back(*index);
    return Done {};
}

Status TextEncoder::addExtra(std::string_view line)
{
    Result<EncoderLine> parsed = parseLine(line);
    if (!parsed)
        return parsed.error();
    m_extras.emplace_back(parsed->label, parsed->value);
    return Done {};
}

Status TextEncoder::finish()
{
    m_labels.resize(m_indexOf.size());
    for (const auto& [label, index] : m_indexOf) {
        if (index >= size())
            return Error { "the indices are not 0 … " + std::to_string(size() - 1) + ": '" + label
                + "' has " + std::to_string(index) };
        m_labels[static_cast<size_t>(index)] = label;
    }
    std::string blank = kBlankLabel;
    for (const auto& [key, literal] : m_extras) {
        const std::optional<PythonString> value = parsePythonString(literal);
        if (key == "blank_label" && value)
            blank = value->value;
        else if (value)
            readExtra(key, value->value);
    }
    const auto at = m_indexOf.find(blank);
    if (at == m_indexOf.end())
        return Error { "there is no blank label '" + blank + "'; CTC needs one" };
    m_blankIndex = at->second;
    return Done {};
}

void TextEncoder::readExtra(const std::string& key, const std::string& value)
{
    if (key == kTokenTypeExtra && value == "word")
        m_unit = Unit::Word;
    if (key == kSegDict)
        m_segDict.emplace(value);
    const auto label = m_indexOf.find(value);
    if (label == m_indexOf.end())
        return;
    if (key == "unk_label")
        m_unknownIndex = label->second;
    if (key == "bos_label")
        m_bosIndex = label->second;
    if (key == "eos_label")
        m_eosIndex = label->second;
}

std::string TextEncoder::fileText() const
{
    if (m_pieces)
        return m_pieces->modelBytes();
    if (m_bytePairs)
        return m_bytePairs->fileText();
    std::string text;
    for (const int64_t index : m_fileOrder)
        text += pythonRepr(m_labels[static_cast<size_t>(index)]) + std::string(kSeparator)
            + std::to_string(index) + "\n";
    text += std::string(kRule) + "\n";
    for (const auto& [key, literal] : m_extras)
        text += pythonRepr(key) + std::string(kSeparator) + literal + "\n";
    return text;
}

Status TextEncoder::save(const std::filesystem::path& path) const
{
    return writeFileAtomically(path, fileText());
}

} // namespace earwright::data
