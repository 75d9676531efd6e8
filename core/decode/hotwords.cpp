#include "core/decode/hotwords.h"

#include "core/base/cjk.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace earwright::decode {

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

LetterKind kindOf(char32_t letter)
{
    if (letter == U' ')
        return LetterKind::Boundary;
    return isIdeograph(letter) ? LetterKind::Ideograph : LetterKind::Word;
}

/// Of a squeezed text: what stands between its blanks, those beside an ideograph left out.
std::vector<std::string> wordsOf(const std::string& text)
{
    const std::vector<std::string> points = codePoints(text);
    std::vector<std::string> words(1);
    for (size_t i = 0; i < points.size(); ++i) {
        if (points[i] != " ")
            words.back() += points[i];
        else if (!isIdeograph(points[i - 1]) && !isIdeograph(points[i + 1]))
            words.emplace_back();
    }
    return words;
}

/// Of a squeezed text: without the blanks between two ideographs.
std::string closedUp(const std::string& text)
{
    const std::vector<std::string> points = codePoints(text);
    std::string closed;
    for (size_t i = 0; i < points.size(); ++i) {
        const bool isBetween
            = points[i] == " " && isIdeograph(points[i - 1]) && isIdeograph(points[i + 1]);
        closed += isBetween ? "" : points[i];
    }
    return closed;
}

/// Every output but the blank spells a word from its begin: none goes on with it.
bool isOfWords(const CtcVocabulary& vocabulary)
{
    for (int32_t token = 0; token < vocabulary.size(); ++token) {
        const CtcToken& output = vocabulary[token];
        const bool isWord = output.role == TokenRole::WordStart && !output.piece.empty();
        if (!isWord && output.role != TokenRole::Blank)
            return false;
    }
    return vocabulary.hasBlanks(); // characters that an n-gram takes for words have none
}

} // namespace

Result<Hotwords> Hotwords::make(
    const std::vector<Hotword>& phrases, const CtcVocabulary& vocabulary)
{
    Hotwords made;
    made.readLetters(vocabulary);
    std::map<std::u32string, double> weights;
    for (const Hotword& phrase : phrases) {
        const std::string text = made.spellable(squeezed(phrase.text));
        if (text.empty())
            return Error { "a hotword is empty" };
        if (made.unspelled(text).empty())
            weights[made.pathOf(text)] = phrase.weight;
        else
            made.leaveOut(text);
    }
    if (!phrases.empty() && made.m_leftOut.size() == phrases.size())
        return Error { "the hotword '" + made.m_leftOut.front() + "' has the "
            + (made.m_words.empty() ? "letter '" : "word '")
            + made.unspelled(made.m_leftOut.front()) + "', which the model has no output for"
            + (phrases.size() > 1 ? "; the others of the list have such too" : "") + made.m_hint };
    for (const auto& [path, weight] : weights)
        made.add(path, weight);
    made.linkFallbacks();
    made.m_start = made.finish({}); // a text begins as behind a word
    return made;
}

void Hotwords::readLetters(const CtcVocabulary& vocabulary)
{
    m_isBounded = vocabulary.hasBlanks();
    const bool ofWords = isOfWords(vocabulary);
    for (int32_t token = 0; token < vocabulary.size(); ++token) {
        const CtcToken& output = vocabulary[token];
        std::u32string text
            = output.role == TokenRole::Blank ? std::u32string() : letters(output.piece);
        if (output.role == TokenRole::Space)
            text = kBoundary;
        m_spelled.insert(text.begin(), text.end());
        if (ofWords && !text.empty())
            m_words.insert(output.piece);
        m_letters.push_back(output.role == TokenRole::WordStart && m_isBounded ? kBoundary + text
                                                                               : std::move(text));
    }
}

std::string Hotwords::spellable(const std::string& phrase) const
{
    return m_isBounded || m_spelled.contains(kBoundary) ? phrase : closedUp(phrase);
}

bool Hotwords::isOfOutputs(const std::string& word) const
{
    const std::vector<std::string> points = codePoints(word);
    std::vector<bool> isReached(points.size() + 1);
    isReached[0] = true;
    for (size_t begin = 0; begin < points.size(); ++begin) {
        std::string part;
        for (size_t end = begin; isReached[begin] && end < points.size(); ++end) {
            part += points[end];
            const bool isJoint = end + 1 == points.size() || isIdeograph(points[end])
                || isIdeograph(points[end + 1]);
            if (isJoint && m_words.contains(part))
                isReached[end + 1] = true;
        }
    }
    return isReached.back();
}

std::string Hotwords::unspelled(const std::string& text) const
{
    if (!m_words.empty()) {
        for (const std::string& word : wordsOf(text))
            if (!isOfOutputs(word))
                return word;
        return {};
    }
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
    if (const std::string hint
        = spellingHint(phrase, [this](const std::string& text) { return unspelled(text).empty(); });
        !hint.empty())
        m_hint = hint;
}

int32_t Hotwords::child(int32_t node, char32_t letter) const
{
    const auto found = m_children.find((static_cast<uint64_t>(node) << 32) | letter);
    return found == m_children.end() ? -1 : found->second;
}

/// As behind and before an ideograph: a word needs a boundary there, another ideograph none.
std::u32string Hotwords::pathOf(const std::string& phrase) const
{
    LetterKind last = LetterKind::Ideograph;
    std::u32string path;
    for (const char32_t letter : letters(phrase))
        path += seen(last, letter);
    return m_isBounded ? path + seen(last, kBoundary) : path;
}

void Hotwords::add(const std::u32string& path, double weight)
{
    int32_t node = 0;
    double nats = 0;
    size_t done = 0;
    for (const char32_t letter : path) {
        int32_t next = child(node, letter);
        if (next < 0) {
            next = static_cast<int32_t>(m_nodes.size());
            m_children[(static_cast<uint64_t>(node) << 32) | letter] = next;
            m_nodes.push_back({});
            m_cameFrom.emplace_back(node, letter);
        }
        node = next;
        nats += letter == kBoundary ? 0 : weight;
        if (++done < path.size())
            m_nodes[static_cast<size_t>(node)].begun = std::max(at(node).begun, nats);
    }
    m_nodes[static_cast<size_t>(node)].complete = nats;
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

std::u32string Hotwords::seen(LetterKind& last, char32_t letter) const
{
    if (!m_isBounded)
        return { letter };
    const LetterKind kind = kindOf(letter);
    if (kind == LetterKind::Boundary && last != LetterKind::Word)
        return {};
    const bool isBetween
        = kind != LetterKind::Boundary && last != LetterKind::Boundary && kind != last;
    last = kind;
    return isBetween ? std::u32string { kBoundary, letter } : std::u32string { letter };
}

HotwordState Hotwords::follow(HotwordState state, const std::u32string& letters) const
{
    for (const char32_t letter : letters) {
        for (const char32_t part : seen(state.last, letter))
            state = step(state, part);
    }
    return state;
}

HotwordState Hotwords::step(HotwordState state, char32_t letter) const
{
    int32_t next = child(state.node, letter);
    while (next < 0 && state.node != 0) {
        state.node = at(state.node).fallback;
        next = child(state.node, letter);
    }
    state.node = std::max(next, 0);
    state.earned += at(state.node).complete;
    return state;
}

} // namespace earwright::decode
