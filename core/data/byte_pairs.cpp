#include "core/data/byte_pairs.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/data/byte_pair_tables.h"
#include "core/data/byte_pair_words.h"
#include "core/data/tokenizer_json.h"

#include <algorithm>
#include <cctype>
#include <queue>

namespace earwright::data {
namespace {

constexpr size_t kMostWords = 1U << 16; ///< remembered
constexpr size_t kMostWordBytes = 64; ///< of one that is worth it
constexpr const char* kReplacement = "\xEF\xBF\xBD"; // U+FFFD

/// A byte, or what is merged of some; those of one word are a list.
struct Symbol {
    int32_t index;
    int32_t before;
    int32_t next; ///< -1: the last one
    bool isGone = false;
};

struct Candidate {
    int32_t rank;
    int32_t at; ///< of the left symbol
    int32_t index; ///< of what the two would become

    /// For a queue, the lowest rank on top, the first place among equals.
    bool operator<(const Candidate& other) const
    {
        return rank != other.rank ? rank > other.rank : at > other.at;
    }
};

/// The added token that stands at a place, the longest of several; null where none does.
const AddedToken* addedAt(std::string_view text, const std::vector<AddedToken>& added)
{
    const auto token = std::find_if(added.begin(), added.end(),
        [&](const AddedToken& one) { return text.starts_with(one.name); });
    return token == added.end() ? nullptr : &*token;
}

/// Bytes at `at` that are the longest beginning of some letter, for which one U+FFFD stands
/// (Unicode 3.9, substitution of maximal subparts).
size_t brokenSize(std::string_view bytes, size_t at)
{
    const auto byteAt = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = byteAt(at);
    const size_t most = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 1;
    const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char greatest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    size_t size = 1;
    while (size < most && at + size < bytes.size()) {
        const unsigned char byte = byteAt(at + size);
        const bool isSecond = size == 1;
        if (byte < (isSecond ? least : 0x80) || byte > (isSecond ? greatest : 0xBF))
            break;
        ++size;
    }
    return size;
}

std::string withoutBroken(const std::string& bytes)
{
    if (brokenUtf8At(bytes) == std::string::npos)
        return bytes;
    std::string text;
    for (size_t at = 0; at < bytes.size();) {
        size_t size = codePointLength(bytes, at);
        const bool isBroken = size == 1 && static_cast<unsigned char>(bytes[at]) >= 0x80;
        size = isBroken ? brokenSize(bytes, at) : size;
        text += isBroken ? kReplacement : bytes.substr(at, size);
        at += size;
    }
    return text;
}

/// Behind the digits that begin at `at`.
size_t digitsEnd(const std::string& text, size_t at)
{
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
        ++at;
    return at;
}

/// Without what is written as "<|1.08|>", as Whisper's tokenizer decodes.
std::string withoutTimestamps(std::string text)
{
    constexpr std::string_view kBegin = "<|";
    constexpr std::string_view kEnd = "|>";
    for (size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at)) {
        const size_t begin = at + kBegin.size();
        const size_t point = digitsEnd(text, begin);
        const bool hasPoint = point > begin && point < text.size() && text[point] == '.';
        const size_t end = hasPoint ? digitsEnd(text, point + 1) : point;
        if (hasPoint && end > point + 1 && text.compare(end, kEnd.size(), kEnd) == 0)
            text.erase(at, end + kEnd.size() - at);
        else
            ++at;
    }
    return text;
}

} // namespace

const std::array<std::string, 256>& byteLetters()
{
    static const std::array<std::string, 256> letters = [] {
        std::array<std::string, 256> made;
        uint32_t other = 0x100;
        for (uint32_t byte = 0; byte < made.size(); ++byte) {
            const bool isPrintable
                = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
            made[byte] = utf8Of(isPrintable ? byte : other++);
        }
        return made;
    }();
    return letters;
}

BytePairs::BytePairs(std::shared_ptr<const Tables> tables)
    : m_tables(std::move(tables))
{
}

const std::string& BytePairs::tokenizerJson() const
{
    return m_tables->tokenizerJson;
}

std::string BytePairs::fileText() const
{
    return spellings().empty() ? tokenizerJson() : withSpellings(tokenizerJson(), spellings());
}

const std::vector<std::string>& BytePairs::tokens() const
{
    return m_tables->tokens;
}

std::optional<int64_t> BytePairs::indexOf(const std::string& token) const
{
    const auto at = m_tables->indexOf.find(token);
    return at == m_tables->indexOf.end() ? std::nullopt : std::optional(at->second);
}

bool BytePairs::isSpecial(int64_t index) const
{
    const std::vector<bool>& special = m_tables->isSpecial;
    return index >= 0 && index < std::ssize(special) && special[static_cast<size_t>(index)];
}

const Spellings& BytePairs::spellings() const
{
    return m_tables->spellings;
}

Vocabulary BytePairs::vocabulary() const
{
    Vocabulary vocabulary { .kind = Vocabulary::Kind::BytePairs,
        .labels = tokens(),
        .bos = indexOf("<|startoftranscript|>"),
        .eos = indexOf("<|endoftext|>") };
    for (const AddedToken& token : m_tables->added)
        vocabulary.special.insert(token.index);
    return vocabulary;
}

std::vector<int64_t> BytePairs::encode(const std::string& text) const
{
    std::vector<int64_t> indices;
    const std::string_view all = text;
    size_t begin = 0; // of what is not encoded yet
    for (size_t at = 0; at < all.size();) {
        const bool mayBeAdded = m_tables->beginsAdded[static_cast<unsigned char>(all[at])];
        const AddedToken* token = mayBeAdded ? addedAt(all.substr(at), m_tables->added) : nullptr;
        if (!token) {
            ++at;
            continue;
        }
        m_tables->encodePlain(all.substr(begin, at - begin), indices);
        indices.push_back(token->index);
        begin = at += token->name.size();
    }
    m_tables->encodePlain(all.substr(begin), indices);
    return indices;
}

void BytePairs::Tables::encodePlain(std::string_view text, std::vector<int64_t>& indices) const
{
    for (const std::string_view word : bytePairWords(text)) {
        const std::string key(word.size() <= kMostWordBytes ? word : std::string_view());
        if (!key.empty()) {
            const std::lock_guard lock(m_mutex);
            if (const auto known = m_words.find(key); known != m_words.end()) {
                indices.insert(indices.end(), known->second.begin(), known->second.end());
                continue;
            }
        }
        const std::vector<int64_t> merged = encodeWord(word);
        indices.insert(indices.end(), merged.begin(), merged.end());
        const std::lock_guard lock(m_mutex);
        if (!key.empty() && m_words.size() < kMostWords)
            m_words.emplace(key, merged);
    }
}

std::vector<int64_t> BytePairs::Tables::encodeWord(std::string_view word) const
{
    std::vector<Symbol> symbols;
    for (const char byte : word) {
        const auto at = static_cast<int32_t>(symbols.size());
        symbols.push_back({ byteIndices[static_cast<unsigned char>(byte)], at - 1, at + 1 });
    }
    symbols.back().next = -1;
    std::priority_queue<Candidate> queue;
    const auto symbolAt = [&](int32_t at) -> Symbol& { return symbols[static_cast<size_t>(at)]; };
    const auto mergeAt = [&](int32_t at) {
        const int32_t next = symbolAt(at).next;
        return next < 0 ? merges.end()
                        : merges.find(keyOf(symbolAt(at).index, symbolAt(next).index));
    };
    const auto propose = [&](int32_t at) {
        if (const auto merge = mergeAt(at); merge != merges.end())
            queue.push({ merge->second.rank, at, merge->second.index });
    };
    for (int32_t at = 0; at < std::ssize(symbols); ++at)
        propose(at);
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        const auto merge = mergeAt(best.at);
        if (symbolAt(best.at).isGone || merge == merges.end() || merge->second.index != best.index)
            continue; // one of the two was merged since
        Symbol& left = symbolAt(best.at);
        Symbol& right = symbolAt(left.next);
        right.isGone = true;
        left.index = best.index;
        left.next = right.next;
        if (left.next >= 0)
            symbolAt(left.next).before = best.at;
        if (left.before >= 0)
            propose(left.before);
        propose(best.at);
    }
    std::vector<int64_t> indices;
    for (int32_t at = 0; at >= 0; at = symbolAt(at).next)
        indices.push_back(symbolAt(at).index);
    return indices;
}

std::string BytePairs::decode(const std::vector<int64_t>& indices, bool skipSpecial) const
{
    std::string bytes;
    for (const int64_t index : indices)
        if (index >= 0 && index < std::ssize(m_tables->spelt) && !(skipSpecial && isSpecial(index)))
            bytes += m_tables->spelt[static_cast<size_t>(index)];
    return withoutTimestamps(withoutBroken(bytes));
}

} // namespace earwright::data
