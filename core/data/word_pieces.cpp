#include "core/data/word_pieces.h"

#include "core/base/text.h"
#include "core/data/word_piece_tables.h"
#include "core/data/word_piece_words.h"

#include <algorithm>

namespace earwright::data {
namespace {

constexpr size_t kMostLetters = 100; ///< of a word that is looked up
constexpr std::string_view kInsideWord = "##";
constexpr const char* kUnknownWord = "⁇";

} // namespace

WordPieces::WordPieces(std::shared_ptr<const Tables> tables)
    : m_tables(std::move(tables))
{
}

const std::vector<std::string>& WordPieces::tokens() const
{
    return m_tables->tokens;
}

std::optional<int64_t> WordPieces::indexOf(const std::string& token) const
{
    const auto at = m_tables->indexOf.find(token);
    return at == m_tables->indexOf.end() ? std::nullopt : std::optional(at->second);
}

Vocabulary WordPieces::vocabulary() const
{
    Vocabulary vocabulary { .kind = Vocabulary::Kind::WordPieces,
        .labels = m_tables->tokens,
        .blank = m_tables->pad,
        .bos = m_tables->begin,
        .eos = m_tables->end,
        .unknown = m_tables->unknown };
    for (const auto& [name, index] : m_tables->special)
        vocabulary.special.insert(index);
    return vocabulary;
}

void WordPieces::Tables::encodeWord(const std::string& word, std::vector<int64_t>& indices) const
{
    const std::vector<std::string> letters = codePoints(word);
    const size_t before = indices.size();
    size_t at = letters.size() > kMostLetters ? std::string::npos : 0;
    while (at < letters.size()) {
        std::string piece = (at > 0 ? std::string(kInsideWord) : std::string())
            + join({ letters.begin() + static_cast<std::ptrdiff_t>(at), letters.end() }, "");
        size_t stop = letters.size();
        auto found = indexOf.find(piece);
        while (found == indexOf.end() && stop > at + 1) {
            --stop;
            piece.resize(piece.size() - letters[stop].size());
            found = indexOf.find(piece);
        }
        if (found == indexOf.end()) {
            at = std::string::npos;
            break;
        }
        indices.push_back(found->second);
        at = stop;
    }
    if (at == std::string::npos) {
        indices.resize(before);
        indices.push_back(unknown);
    }
}

std::vector<int64_t> WordPieces::encode(const std::string& text) const
{
    std::vector<int64_t> indices { m_tables->begin };
    const auto take = [&](const std::string& part) {
        for (const std::string& word : wordsOfBert(part, m_tables->rules))
            m_tables->encodeWord(word, indices);
    };
    size_t from = 0;
    for (size_t at = text.find('['); at != std::string::npos; at = text.find('[', at)) {
        const auto token = std::find_if(m_tables->special.begin(), m_tables->special.end(),
            [&](const auto& one) { return text.compare(at, one.first.size(), one.first) == 0; });
        if (token == m_tables->special.end()) {
            ++at;
            continue;
        }
        take(text.substr(from, at - from));
        indices.push_back(token->second);
        at += token->first.size();
        from = at;
    }
    take(text.substr(from));
    indices.push_back(m_tables->end);
    return indices;
}

std::vector<std::string> WordPieces::spellings() const
{
    std::vector<std::string> spellings = m_tables->tokens;
    for (std::string& one : spellings)
        if (one.size() > kInsideWord.size() && one.starts_with(kInsideWord))
            one.erase(0, kInsideWord.size());
    for (const auto& [name, index] : m_tables->special)
        spellings[static_cast<size_t>(index)] = index == m_tables->unknown ? kUnknownWord : "";
    return spellings;
}

std::string WordPieces::decode(const std::vector<int64_t>& indices) const
{
    std::string text;
    for (const int64_t index : indices) {
        if (index == m_tables->end)
            break;
        if (index >= 0 && index < std::ssize(m_tables->tokens))
            text += m_tables->spelt[static_cast<size_t>(index)];
    }
    return text;
}

} // namespace earwright::data
