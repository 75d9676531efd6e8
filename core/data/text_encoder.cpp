#include "core/data/text_encoder.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/python_literal.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>
#include <utility>

namespace kymo::data {
namespace {

constexpr std::string_view kSeparator = " => ";
constexpr std::string_view kRule = "================";
constexpr const char* kBlank = "<blank>";

struct Line {
    std::string label;
    std::string_view value;
};

Result<Line> parseLine(std::string_view line)
{
    const std::optional<PythonString> label = parsePythonString(line);
    if (!label)
        return Error { "expected a label in quotes, as in 'a' => 1" };
    const std::string_view rest = line.substr(label->length);
    if (rest.substr(0, kSeparator.size()) != kSeparator)
        return Error { "expected ' => ' after the label" };
    return Line { label->value, trim(rest.substr(kSeparator.size())) };
}

std::optional<int64_t> parseIndex(std::string_view text)
{
    int64_t index = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (status != std::errc() || end != text.data() + text.size() || index < 0)
        return std::nullopt;
    return index;
}

} // namespace

TextEncoder TextEncoder::fromTexts(
    const std::vector<std::string>& texts, const SpecialLabels& special)
{
    TextEncoder encoder;
    std::map<std::string, int64_t> seen;
    for (const std::string& text : texts) {
        for (std::string& character : codePoints(text)) {
            if (seen.emplace(character, 0).second)
                encoder.m_labels.push_back(std::move(character));
        }
    }
    encoder.insertSpecial(special);
    for (int64_t i = 0; i < encoder.size(); ++i) {
        encoder.m_indexOf[encoder.m_labels[static_cast<size_t>(i)]] = i;
        if (i != encoder.m_blankIndex && !encoder.isBoundary(i))
            encoder.m_fileOrder.push_back(i);
    }
    return encoder;
}

/// Upstream inserts the special labels first, and its file begins with them.
void TextEncoder::insertSpecial(const SpecialLabels& special)
{
    std::map<int64_t, std::string> wanted { { special.blank, kBlank } };
    if (special.bos)
        wanted.emplace(*special.bos, special.bosLabel);
    if (special.eos)
        wanted.emplace(*special.eos, special.eosLabel);
    std::map<int64_t, int64_t> given;
    for (const auto& [index, label] : wanted) {
        given[index] = std::clamp<int64_t>(index, 0, size());
        m_labels.insert(m_labels.begin() + given[index], label);
    }
    m_blankIndex = given[special.blank];
    m_bosIndex = special.bos ? given[*special.bos] : -1;
    m_eosIndex = special.eos ? given[*special.eos] : -1;
    const auto note = [this](const char* extra, int64_t index) {
        if (index < 0)
            return;
        m_extras.emplace_back(extra, pythonRepr(m_labels[static_cast<size_t>(index)]));
        if (std::find(m_fileOrder.begin(), m_fileOrder.end(), index) == m_fileOrder.end())
            m_fileOrder.push_back(index);
    };
    m_fileOrder.push_back(m_blankIndex);
    m_extras.emplace_back("starting_index", "0");
    note("bos_label", m_bosIndex);
    note("eos_label", m_eosIndex);
    note("blank_label", m_blankIndex);
}

bool TextEncoder::isBoundary(int64_t token) const
{
    return token == m_bosIndex || token == m_eosIndex;
}

Result<TextEncoder> TextEncoder::load(const std::filesystem::path& path)
{
    Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    Result<TextEncoder> encoder = parse(*text);
    if (!encoder)
        return Error { "label encoder '" + path.string() + "', " + encoder.error().message };
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
            return Error { "line " + std::to_string(i + 1) + ": " + status.error().message };
    }
    if (Status status = encoder.finish(); !status)
        return status.error();
    return encoder;
}

Status TextEncoder::add(std::string_view line)
{
    Result<Line> parsed = parseLine(line);
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
    Result<Line> parsed = parseLine(line);
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
    std::string blank = kBlank;
    for (const auto& [key, literal] : m_extras) {
        const std::optional<PythonString> value = parsePythonString(literal);
        if (key == "blank_label" && value)
            blank = value->value;
        const auto label = value ? m_indexOf.find(value->value) : m_indexOf.end();
        if (label == m_indexOf.end())
            continue;
        if (key == "unk_label")
            m_unknownIndex = label->second;
        if (key == "bos_label")
            m_bosIndex = label->second;
        if (key == "eos_label")
            m_eosIndex = label->second;
    }
    const auto at = m_indexOf.find(blank);
    if (at == m_indexOf.end())
        return Error { "there is no blank label '" + blank + "'; CTC needs one" };
    m_blankIndex = at->second;
    return Done {};
}

std::string TextEncoder::fileText() const
{
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

Result<std::vector<int64_t>> TextEncoder::encode(const std::string& text) const
{
    std::vector<int64_t> tokens;
    for (const std::string& character : codePoints(text)) {
        const auto at = m_indexOf.find(character);
        if (at == m_indexOf.end() && m_unknownIndex < 0)
            return Error { "the character '" + character + "' is not in the label encoder" };
        tokens.push_back(at == m_indexOf.end() ? m_unknownIndex : at->second);
    }
    return tokens;
}

std::string TextEncoder::decode(const std::vector<int64_t>& tokens) const
{
    std::string text;
    for (const int64_t token : tokens) {
        if (token >= 0 && token < size() && !isBoundary(token))
            text += m_labels[static_cast<size_t>(token)];
    }
    return text;
}

} // namespace kymo::data
