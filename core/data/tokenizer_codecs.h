#pragma once

#include "core/data/byte_pairs.h"
#include "core/data/sentence_piece.h"
#include "core/data/text_codec.h"
#include "core/data/word_pieces.h"
#include "core/settings/labels.h"

namespace earwright::data {

/// The pieces of a SentencePiece model. bos and eos of `special` spell nothing.
class PieceCodec final : public TextCodec {
public:
    PieceCodec(SentencePiece model, const settings::SpecialLabels& special);

    const std::vector<std::string>& labels() const override { return m_model.pieces(); }
    std::optional<int64_t> indexOf(const std::string& label) const override;
    int64_t blankIndex() const override { return m_blankIndex; }
    int64_t unknownIndex() const override { return m_model.unknownIndex(); }
    Vocabulary vocabulary() const override { return m_model.vocabulary(); }
    std::string fileText() const override { return m_model.modelBytes(); }
    Result<std::vector<int64_t>> encode(const std::string& text) const override;
    Result<Cuts> encodePhrase(const std::string& phrase) const override;
    std::string decode(const std::vector<int64_t>& tokens) const override;

private:
    SentencePiece m_model;
    int64_t m_blankIndex;
    int64_t m_bosIndex; ///< -1: none
    int64_t m_eosIndex; ///< -1: none
};

/// Whisper's byte pairs. After normalize() errors are counted between normalized() texts.
class BytePairCodec final : public TextCodec {
public:
    explicit BytePairCodec(BytePairs pairs);

    void normalize(bool areTargets);
    std::string normalized(const std::string& text) const;
    const BytePairs& pairs() const { return m_pairs; }

    const std::vector<std::string>& labels() const override { return m_pairs.tokens(); }
    std::optional<int64_t> indexOf(const std::string& label) const override;
    int64_t blankIndex() const override { return -1; }
    int64_t unknownIndex() const override { return -1; }
    Vocabulary vocabulary() const override { return m_pairs.vocabulary(); }
    std::string fileText() const override { return m_pairs.fileText(); }
    Result<std::vector<int64_t>> encode(const std::string& text) const override;
    std::string decode(const std::vector<int64_t>& tokens) const override;

private:
    BytePairs m_pairs;
    bool m_isNormalized = false; ///< with the recipe's key
    bool m_areTargetsNormalized = false; ///< and where it is true
};

/// BERT's word pieces, of texts without their blanks.
class WordPieceCodec final : public TextCodec {
public:
    WordPieceCodec(WordPieces pieces, const settings::SpecialLabels& special);

    const std::vector<std::string>& labels() const override { return m_pieces.tokens(); }
    std::optional<int64_t> indexOf(const std::string& label) const override;
    int64_t blankIndex() const override { return m_blankIndex; }
    int64_t unknownIndex() const override { return m_unknownIndex; }
    Vocabulary vocabulary() const override { return m_pieces.vocabulary(); }
    std::string fileText() const override { return m_pieces.fileText(); }
    Result<std::vector<int64_t>> encode(const std::string& text) const override;
    std::string decode(const std::vector<int64_t>& tokens) const override;
    std::string asWritten(const std::string& text) const override;
    std::vector<std::string> searchLabels() const override { return m_pieces.spellings(); }

private:
    WordPieces m_pieces;
    int64_t m_blankIndex;
    int64_t m_unknownIndex; ///< -1: none
};

} // namespace earwright::data
