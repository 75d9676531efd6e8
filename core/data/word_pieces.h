#pragma once

#include "core/base/result.h"
#include "core/data/vocabulary.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// How BERT's tokenizer takes a text apart before it looks words up.
struct WordPieceRules {
    bool lowerCase = true; ///< do_lower_case
    std::optional<bool> stripAccents {}; ///< strip_accents; none: as lowerCase
    bool splitIdeographs = true; ///< tokenize_chinese_chars
};

/// transformers.BertTokenizer: words are what stands between white space, punctuation and CJK
/// letters, and each is the longest pieces of the vocabulary from its left; pieces within a word
/// begin with "##". Safe from any thread; copies share all.
class WordPieces final {
public:
    /// Of a folder of the Hub, as from_pretrained() reads it: the vocabulary of tokenizer.json or
    /// else of vocab.txt, a token a line, and the rules of tokenizer_config.json, whatever a
    /// tokenizer.json says of them. Errors name the file: neither is there, no UTF-8, those of
    /// parse().
    static Result<WordPieces> read(const std::filesystem::path& folder);
    /// Of the text of a tokenizer.json, with its rules. Errors: no model of word pieces, a token
    /// twice or without an index, none of [PAD], [UNK], [CLS] or [SEP].
    static Result<WordPieces> parse(const std::string& json);
    /// Whether the text of a tokenizer.json holds such a model.
    static bool isOne(const std::string& json);

    /// A tokenizer.json, from which parse() and the tokenizers library read the same.
    std::string fileText() const;

    const std::vector<std::string>& tokens() const; ///< by index: "[PAD]", "中", "##ing"
    std::optional<int64_t> indexOf(const std::string& token) const;
    /// Its blank is [PAD], its ends are [CLS] and [SEP].
    Vocabulary vocabulary() const;

    /// `input_ids` of a call: [CLS], the pieces, [SEP]. A word without pieces or of more than 100
    /// letters is [UNK]; the names of special tokens are found in the text.
    std::vector<int64_t> encode(const std::string& text) const;
    /// Up to the first [SEP], pieces with nothing between them and without "##"; [PAD], [CLS] and
    /// [MASK] are left out, [UNK] is "⁇".
    std::string decode(const std::vector<int64_t>& indices) const;
    /// What each token adds to a text of decode().
    std::vector<std::string> spellings() const;

private:
    struct Tables;
    struct Builder;
    explicit WordPieces(std::shared_ptr<const Tables> tables);

    std::shared_ptr<const Tables> m_tables;
};

} // namespace earwright::data
