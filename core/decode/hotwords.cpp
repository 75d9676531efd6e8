#include "core/decode/hotwords.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>

namespace kymo::decode {

namespace {

std::u32string letters(std::string_view utf8)
{
    std::u32string decoded;
    for (const std::string& point : codePoints(utf8)) {
        const auto first = static_cast<unsigned char>(point.front());
        char32_t value = point.size() == 1 ? first : first & (0x7fU >> point.size());
        for (size_t i = 1; i < point.size(); ++i)
            value = (value << 6) | (static_cast<unsigned char>(point[i]) & 0x3fU);
        decoded += value;
    }
    return decoded;
}

/// Of Latin letters, as toLower().
std::string toUpper(std::string text)
{
    for (char& c : text)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

/// Single blanks between the words.
std::string squeezed(std::string_view text)
{
    std::string words;
    for (const std::string& word : split(text, ' ')) {
        if (!trim(word).empty())
            words += (words.empty() ? "" : " ") + std::string(trim(word));
    }
    return words;
}

/// Of a line; an empty one has no text.
Result<Hotword> readPhrase(const std::string& line, double usualWeight)
{
    if (brokenUtf8At(line) != std::string::npos)
        return Error { "the hotword is not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8' makes it "
                       "so" };
    const size_t tab = line.find('\t');
    Hotword phrase { squeezed(std::string_view(line).substr(0, tab)), usualWeight };
    const std::string_view behind
        = tab == std::string::npos ? "" : trim(std::string_view(line).substr(tab + 1));
    if (behind.empty())
        return phrase;
    const auto weight = parseNumber<double>(behind);
    if (!weight)
        return Error { "'" + std::string(behind) + "' is no weight" };
    phrase.weight = *weight;
    return phrase;
}

} // namespace

Result<std::vector<Hotword>> readHotwords(const std::filesystem::path& file, double usualWeight)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    std::vector<Hotword> phrases;
    int number = 0;
    for (const std::string& line : split(withoutByteOrderMark(*text), '\n')) {
        ++number;
        Result<Hotword> phrase = readPhrase(line, usualWeight);
        if (!phrase)
            return Error { file.string() + ":" + std::to_string(number) + ": "
                + phrase.error().message };
        const auto same = std::find_if(phrases.begin(), phrases.end(),
            [&](const Hotword& earlier) { return earlier.text == phrase->text; });
        if (same != phrases.end())
            *same = std::move(*phrase);
        else if (!phrase->text.empty())
            phrases.push_back(std::move(*phrase));
    }
    return phrases;
}

Result<Hotwords> Hotwords::make(
    const std::vector<Hotword>& phrases, const CtcVocabulary& vocabulary)
{
    Hotwords made;
    made.readLetters(vocabulary);
    for (const Hotword& phrase : phrases) {
        const std::string text = squeezed(phrase.text);
        if (text.empty())
            return Error { "a hotword is empty" };
        if (made.unspelled(text).empty())
            made.add({ text, phrase.weight });
        else
            made.leaveOut(text);
    }
    if (!phrases.empty() && made.m_leftOut.size() == phrases.size())
        return Error { "the hotword '" + made.m_leftOut.front() + "' has the letter '"
            + made.unspelled(made.m_leftOut.front()) + "', which the model has no output for"
            + (phrases.size() > 1 ? "; the others of the list have such letters too" : "")
            + made.m_hint };
    made.linkFallbacks();
    made.m_start = made.finish({});
    return made;
}

void Hotwords::readLetters(const CtcVocabulary& vocabulary)
{
    m_isBounded = vocabulary.hasBlanks();
    for (int32_t token = 0; token < vocabulary.size(); ++token) {
        const CtcToken& output = vocabulary[token];
        std::u32string text
            = output.role == TokenRole::Blank ? std::u32string() : letters(output.piece);
        if (output.role == TokenRole::Space)
            text = kBoundary;
        m_spelled.insert(text.begin(), text.end());
        m_letters.push_back(output.role == TokenRole::WordStart && m_isBounded ? kBoundary + text
                                                                               : std::move(text));
    }
}

std::string Hotwords::unspelled(const std::string& text) const
{
    for (const std::string& point : codePoints(text)) {
        const bool isBoundary = point == " " && m_isBounded;
        if (!isBoundary && !m_spelled.contains(letters(point).front()))
            return point;
    }
    return {};
}

void Hotwords::leaveOut(const std::string& phrase)
{
    m_leftOut.push_back(phrase);
    const std::string capital = toUpper(phrase);
    if (capital != phrase && unspelled(capital).empty())
        m_hint = "; the model writes capital letters";
    else if (const std::string small = toLower(phrase); small != phrase && unspelled(small).empty())
        m_hint = "; the model writes small letters";
}

int32_t Hotwords::child(int32_t node, char32_t letter) const
{
    const auto found = m_children.find((static_cast<uint64_t>(node) << 32) | letter);
    return found == m_children.end() ? -1 : found->second;
}

void Hotwords::add(const Hotword& phrase)
{
    const std::u32string boundary = m_isBounded ? std::u32string(1, kBoundary) : U"";
    const std::u32string text = letters(phrase.text);
    const auto last = static_cast<size_t>(std::ssize(text));
    int32_t node = 0;
    double nats = 0;
    size_t done = 0;
    for (const char32_t letter : boundary + text + boundary) {
        int32_t next = child(node, letter);
        if (next < 0) {
            next = static_cast<int32_t>(m_nodes.size());
            m_children[(static_cast<uint64_t>(node) << 32) | letter] = next;
            m_nodes.push_back({});
            m_cameFrom.emplace_back(node, letter);
        }
        node = next;
        nats += letter == kBoundary ? 0 : phrase.weight;
        if (++done < boundary.size() + last + boundary.size())
            m_nodes[static_cast<size_t>(node)].begun = std::max(at(node).begun, nats);
    }
    m_nodes[static_cast<size_t>(node)].complete += nats;
}

/// Breadth first: a fallback is shorter, so it is done before.
void Hotwords::linkFallbacks()
{
    std::vector<int32_t> depth(m_nodes.size());
    std::vector<int32_t> order;
    for (int32_t node = 1; node < std::ssize(m_nodes); ++node) {
        depth[static_cast<size_t>(node)]
            = depth[static_cast<size_t>(m_cameFrom[static_cast<size_t>(node)].first)] + 1;
        order.push_back(node);
    }
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
        return depth[static_cast<size_t>(a)] < depth[static_cast<size_t>(b)];
    });
    for (const int32_t node : order) {
        const auto [parent, letter] = m_cameFrom[static_cast<size_t>(node)];
        int32_t shorter = parent;
        int32_t found = -1;
        while (shorter != 0 && found < 0) {
            shorter = at(shorter).fallback;
            found = child(shorter, letter);
        }
        Node& here = m_nodes[static_cast<size_t>(node)];
        here.fallback = std::max(found, 0);
        here.complete += at(here.fallback).complete;
    }
}

HotwordState Hotwords::follow(HotwordState state, const std::u32string& letters) const
{
    for (const char32_t letter : letters) {
        int32_t next = child(state.node, letter);
        while (next < 0 && state.node != 0) {
            state.node = at(state.node).fallback;
            next = child(state.node, letter);
        }
        state.node = std::max(next, 0);
        state.earned += at(state.node).complete;
    }
    return state;
}

} // namespace kymo::decode
