#pragma once

#include "core/base/result.h"
#include "core/data/vocabulary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::catalog {
struct SentencePieceConfig;
}
namespace sentencepiece {
class SentencePieceProcessor;
}

namespace earwright::data {

/// A model of the sentencepiece library: texts as pieces of words. Safe from any thread; copies
/// share the model.
class SentencePiece final {
public:
    /// The bytes of a model that is trained on `texts` as SpeechBrain's SentencePiece trains it:
    /// the same pieces as the Python package of this version gives. The error is the library's,
    /// such as a vocabulary larger than the texts can fill, unless there `mayBeFewer` pieces.
    static Result<std::string> train(const std::vector<std::string>& texts,
        const catalog::SentencePieceConfig& config, bool mayBeFewer = false);
    /// From the bytes of a model. An error where they are none.
    static Result<SentencePiece> parse(std::string modelBytes);

    const std::string& modelBytes() const { return *m_modelBytes; }
    const std::vector<std::string>& pieces() const { return *m_pieces; } ///< by index
    int64_t unknownIndex() const;
    std::optional<int64_t> indexOf(const std::string& piece) const;
    /// Special are those of isSpecial().
    Vocabulary vocabulary() const;
    /// The piece that stands for what is unknown, or one that no text is cut into: <s>, </s>,
    /// <pad>.
    bool isSpecial(int64_t index) const;

    std::vector<int64_t> encode(const std::string& text) const;
    /// As a stretch inside a text without blanks: no mark of a word's beginning before it.
    std::vector<int64_t> encodeInside(const std::string& text) const;
    /// Parts of a text that no piece spells, in its order; as the model normalises it.
    std::vector<std::string> unknownParts(const std::string& text) const;
    /// The pieces as a text; every index must be one of theirs.
    std::string decode(const std::vector<int64_t>& indices) const;

private:
    SentencePiece() = default;

    std::shared_ptr<const sentencepiece::SentencePieceProcessor> m_model;
    std::shared_ptr<const std::string> m_modelBytes;
    std::shared_ptr<const std::vector<std::string>> m_pieces;
};

} // namespace earwright::data
