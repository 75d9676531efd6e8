#pragma once

#include "core/base/result.h"
#include "core/data/vocabulary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// SentencePiece's, at the beginning of a word.
inline constexpr std::string_view kWordMark = "▁";

/// Cuts texts into tokens of one kind and joins them again. A TextEncoder has one, and says what
/// the functions of the same names do. Safe from any thread.
class TextCodec {
public:
    using Cuts = std::vector<std::vector<int64_t>>;

    virtual ~TextCodec() = default;

    virtual const std::vector<std::string>& labels() const = 0; ///< by index
    virtual std::optional<int64_t> indexOf(const std::string& label) const = 0;
    virtual int64_t blankIndex() const = 0; ///< -1: none
    virtual int64_t unknownIndex() const = 0; ///< -1: none
    virtual Vocabulary vocabulary() const = 0;
    virtual std::string fileText() const = 0;

    virtual Result<std::vector<int64_t>> encode(const std::string& text) const = 0;
    virtual Result<Cuts> encodePhrase(const std::string& phrase) const;
    virtual std::string decode(const std::vector<int64_t>& tokens) const = 0;
    virtual std::string asWritten(const std::string& text) const { return text; }
    virtual std::vector<std::string> searchLabels() const { return labels(); }
    virtual std::string sizeText() const { return data::sizeText(vocabulary()); }
};

} // namespace earwright::data
