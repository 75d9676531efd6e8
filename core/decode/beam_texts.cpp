#include "core/decode/beam_texts.h"

#include <algorithm>

namespace earwright::decode {

namespace {

const TextHash kBlank = TextHash::of(" ");

/// Words as an ordered list, of which a single one is not itself.
uint64_t combine(uint64_t words, uint64_t word)
{
    return (words ^ (words >> 29)) * 0x9e3779b97f4a7c15 + word + 1;
}

bool isBlank(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r')
        || (letter >= 0x1c && letter <= 0x1f);
}

} // namespace

BeamTexts::BeamTexts(const CtcVocabulary& vocabulary, const NgramScorer* scorer)
    : m_vocabulary(vocabulary)
    , m_scorer(scorer)
{
    m_spellingOf[0] = 0;
    m_textOf[0] = 0;
    if (m_scorer)
        m_texts.front().state = m_scorer->start();
}

TextHash BeamTexts::extended(int32_t spelling, int32_t token, bool isSpaced) const
{
    const TextHash before = this->spelling(spelling).hash;
    return (isSpaced ? before + kBlank : before) + m_vocabulary[token].hash;
}

int32_t BeamTexts::extend(int32_t spelling, int32_t token, bool isSpaced)
{
    const TextHash hash = extended(spelling, token, isSpaced);
    const auto [place, isNew]
        = m_spellingOf.try_emplace(hash.value, static_cast<int32_t>(m_spellings.size()));
    if (isNew)
        m_spellings.push_back({ .parent = spelling,
            .token = token,
            .isSpaced = isSpaced,
            .hash = hash,
            .length = this->spelling(spelling).length + m_vocabulary[token].length });
    return place->second;
}

int32_t BeamTexts::append(int32_t text, int32_t word)
{
    const TextHash spelled = spelling(word).hash;
    if (spelled.value == 0)
        return text;
    const TextHash before = this->text(text).hash;
    const TextHash hash = before.value == 0 ? spelled : before + kBlank + spelled;
    const auto [place, isNew]
        = m_textOf.try_emplace(hash.value, static_cast<int32_t>(m_texts.size()));
    if (!isNew)
        return place->second;
    Text longer { .parent = text, .word = word, .hash = hash, .state = {} };
    if (m_scorer)
        longer.score = this->text(text).score
            + m_scorer->word(this->text(text).state, this->spelled(word), spelled, longer.state);
    m_texts.push_back(longer);
    return place->second;
}

bool BeamTexts::isBlankWord(int32_t spelling) const
{
    return m_vocabulary.areCharacters() && this->spelling(spelling).hash.value == kBlank.value;
}

std::string BeamTexts::spelled(int32_t spelling) const
{
    std::vector<int32_t> path;
    for (; spelling != 0; spelling = this->spelling(spelling).parent)
        path.push_back(spelling);
    std::string text;
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
        const Spelling& last = this->spelling(*step);
        text += (last.isSpaced ? " " : "") + m_vocabulary[last.token].piece;
    }
    return text;
}

std::vector<std::string> BeamTexts::words(int32_t text) const
{
    std::vector<std::string> words;
    for (; text != 0; text = this->text(text).parent)
        words.push_back(spelled(this->text(text).word));
    std::reverse(words.begin(), words.end());
    return words;
}

uint64_t BeamTexts::lastWords(int32_t text, int64_t count) const
{
    uint64_t words = 0;
    for (; text != 0 && count > 0; --count, text = this->text(text).parent)
        words = combine(words, spelling(this->text(text).word).hash.value);
    return words;
}

uint64_t BeamTexts::lastSpelledWords(int32_t spelling, int64_t count) const
{
    uint64_t words = 0;
    TextHash word;
    const auto close = [&] {
        if (word.value == 0)
            return;
        words = combine(words, word.value);
        word = {};
        --count;
    };
    for (; spelling != 0 && count > 0; spelling = this->spelling(spelling).parent) {
        const Spelling& last = this->spelling(spelling);
        const std::string& piece = m_vocabulary[last.token].piece;
        for (auto letter = piece.rbegin(); letter != piece.rend() && count > 0; ++letter) {
            if (isBlank(*letter))
                close();
            else
                word = TextHash::of({ &*letter, 1 }) + word;
        }
        if (last.isSpaced)
            close();
    }
    close();
    return words;
}

} // namespace earwright::decode
