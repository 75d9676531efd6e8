#include "core/data/text_encoder.h"

#include "core/data/label_codec.h"
#include "core/data/tokenizer_codecs.h"

#include <algorithm>
#include <utility>

namespace earwright::data {
namespace {

using Unit = LabelCodec::Unit;

/// What makes the tokenizer useless with these special labels.
Status checkSpecialLabels(const Vocabulary& vocabulary, const settings::SpecialLabels& special)
{
    for (const LabelConflict& conflict : labelConflicts(vocabulary, special))
        if (conflict.isUnusable)
            return Error { conflict.message };
    return Done {};
}

} // namespace

TextEncoder::TextEncoder(std::shared_ptr<const TextCodec> codec)
    : m_codec(std::move(codec))
{
}

TextEncoder TextEncoder::fromLabels(LabelCodec labels)
{
    auto codec = std::make_shared<const LabelCodec>(std::move(labels));
    TextEncoder encoder(codec);
    encoder.m_labels = std::move(codec);
    return encoder;
}

TextEncoder TextEncoder::fromTexts(
    const std::vector<std::string>& texts, const settings::SpecialLabels& special)
{
    return fromLabels({ texts, special, Unit::Character, special.addUnk });
}

TextEncoder TextEncoder::fromWords(
    const std::vector<std::string>& texts, const settings::SpecialLabels& special)
{
    return fromLabels({ texts, special, Unit::Word, true });
}

TextEncoder TextEncoder::fromPhones(
    const std::vector<std::string>& texts, const settings::SpecialLabels& special)
{
    return fromLabels({ texts, special, Unit::Word, special.addUnk });
}

Result<TextEncoder> TextEncoder::fromPieces(
    SentencePiece model, const settings::SpecialLabels& special)
{
    if (const Status fits = checkSpecialLabels(model.vocabulary(), special); !fits)
        return fits.error();
    return TextEncoder(std::make_shared<const PieceCodec>(std::move(model), special));
}

TextEncoder TextEncoder::fromBytePairs(BytePairs pairs)
{
    auto codec = std::make_shared<const BytePairCodec>(std::move(pairs));
    TextEncoder encoder(codec);
    encoder.m_bytePairs = std::move(codec);
    return encoder;
}

Result<TextEncoder> TextEncoder::fromWordPieces(
    WordPieces pieces, const settings::SpecialLabels& special)
{
    if (const Status fits = checkSpecialLabels(pieces.vocabulary(), special); !fits)
        return fits.error();
    TextEncoder encoder(std::make_shared<const WordPieceCodec>(std::move(pieces), special));
    encoder.m_hasWordPieces = true;
    return encoder;
}

void TextEncoder::normalize(bool areTargets)
{
    if (!m_bytePairs)
        return;
    auto codec = std::make_shared<BytePairCodec>(*m_bytePairs);
    codec->normalize(areTargets);
    m_bytePairs = codec;
    m_codec = std::move(codec);
}

/// Of labels: all else has no such change.
template <class Change>
void TextEncoder::changeLabels(Change change)
{
    if (!m_labels)
        return;
    auto codec = std::make_shared<LabelCodec>(*m_labels);
    change(*codec);
    m_labels = codec;
    m_codec = std::move(codec);
}

void TextEncoder::endWords()
{
    changeLabels([](LabelCodec& labels) { labels.endWords(); });
}

void TextEncoder::cutAtBlanks()
{
    changeLabels([](LabelCodec& labels) { labels.cutAtBlanks(); });
}

void TextEncoder::addUnknown()
{
    changeLabels([](LabelCodec& labels) { labels.addUnknown(); });
}

void TextEncoder::addLabels(const std::vector<std::string>& texts)
{
    changeLabels([&](LabelCodec& labels) { labels.addLabels(texts); });
}

const BytePairs* TextEncoder::bytePairs() const
{
    return m_bytePairs ? &m_bytePairs->pairs() : nullptr;
}

std::string TextEncoder::normalized(const std::string& text) const
{
    return m_bytePairs ? m_bytePairs->normalized(text) : text;
}

std::optional<int64_t> TextEncoder::indexOf(const std::string& label) const
{
    return m_codec->indexOf(label);
}

Result<std::vector<int64_t>> TextEncoder::encode(const std::string& text) const
{
    return m_codec->encode(text);
}

Result<TextEncoder::Cuts> TextEncoder::encodePhrase(const std::string& phrase) const
{
    return m_codec->encodePhrase(phrase);
}

bool TextEncoder::hasUnknown(const std::vector<int64_t>& tokens) const
{
    const int64_t unknown = m_codec->unknownIndex();
    return unknown >= 0 && std::find(tokens.begin(), tokens.end(), unknown) != tokens.end();
}

bool TextEncoder::hasSegDict() const
{
    return m_labels && m_labels->hasSegDict();
}

bool TextEncoder::isOfWords() const
{
    return m_labels && m_labels->isOfWords();
}

} // namespace earwright::data
