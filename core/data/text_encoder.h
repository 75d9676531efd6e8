#pragma once

#include "core/base/result.h"
#include "core/data/byte_pairs.h"
#include "core/data/seg_dict.h"
#include "core/data/sentence_piece.h"
#include "core/data/vocabulary.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// SentencePiece's, at the beginning of a word.
inline constexpr std::string_view kWordMark = "▁";

/// Text <-> token indices, with a blank: characters or words as
/// speechbrain.dataio.encoder.CTCTextEncoder numbers them, the pieces of a SentencePiece model, or
/// byte pairs of a folder of the Hub, which have no blank.
/// File of characters and words: one line a label, `'x' => 3` with the label as a Python literal,
/// in the order the labels were added; a line of 16 equals signs; then `'starting_index' => 0`,
/// `'blank_label' =>
/// '<blank>'` and the like; of words there is `'token_type' => 'word'` too, which upstream reads
/// past. File of pieces: the model, whose name ends in .model. File of byte pairs: tokenizer.json.
/// FunASR's tokens.json or tokens.txt is read as labels of characters or, with its seg_dict beside
/// it, as that cuts words, and written as above, with the seg_dict's text as `'seg_dict' => '…'`.
class TextEncoder final {
public:
    /// One label a character (code point), in order of first appearance around the special ones, as
    /// insert_blank, insert_bos_eos and then update_from_didataset give them; `<unk>` before them
    /// where asked for. With fewer labels than its index a special one comes last.
    static TextEncoder fromTexts(
        const std::vector<std::string>& texts, const settings::SpecialLabels& special);
    static TextEncoder fromTexts(const std::vector<std::string>& texts, int64_t blankIndex)
    {
        return fromTexts(texts, settings::SpecialLabels { .blank = blankIndex });
    }
    /// The same with one label a word, and `<unk>` before them.
    static TextEncoder fromWords(
        const std::vector<std::string>& texts, const settings::SpecialLabels& special);
    /// Whole labels with blanks between, as phones are, and `<unk>` only where asked for.
    static TextEncoder fromPhones(
        const std::vector<std::string>& texts, const settings::SpecialLabels& special);
    /// The pieces keep the model's indices. An error where `special` names one that texts are cut
    /// into: the blank is unk_id, pad_id, bos_id or eos_id of the model.
    static Result<TextEncoder> fromPieces(
        SentencePiece model, const settings::SpecialLabels& special);
    /// Whisper's. encode() puts neither a prefix nor an end around a text: the task does
    /// (prefixTokens()). decode() leaves special tokens out, and the blank that a text may begin
    /// with where it is. Texts are taken as they are written until normalize().
    static TextEncoder fromBytePairs(BytePairs pairs);
    /// Errors name path and line: no such file, no UTF-8, a label that is no text, an index twice
    /// or left out, no blank; for a model, as fromPieces(). `special` is read of a model only.
    static Result<TextEncoder> load(
        const std::filesystem::path& path, const settings::SpecialLabels& special = {});
    /// Of byte pairs: errors are counted between normalized() texts, and with `areTargets` encode()
    /// takes a text so. decode() writes them as before.
    void normalize(bool areTargets);
    /// Upstream's file of phones does not say that its labels are whole ones with blanks between.
    void cutAtBlanks();
    /// Characters or words of the texts that have no label yet get one behind all others; with a
    /// seg_dict none does, which would not know it.
    void addLabels(const std::vector<std::string>& texts);
    /// The same bytes upstream writes; a loaded file is written back unchanged.
    Status save(const std::filesystem::path& path) const;
    std::string fileText() const;

    int64_t size() const { return static_cast<int64_t>(m_labels.size()); } ///< blank included
    int64_t blankIndex() const { return m_blankIndex; } ///< -1 of byte pairs
    /// Null of all other encoders.
    const BytePairs* bytePairs() const { return m_bytePairs ? &*m_bytePairs : nullptr; }
    /// What is scored of a text, by normalizedEnglish(); the text itself where there was no
    /// normalize().
    std::string normalized(const std::string& text) const;
    /// Characters and words without a label take unk_label's index where the file has one, parts
    /// without a piece the model's unk_id where that is not the blank; else the error names them.
    Result<std::vector<int64_t>> encode(const std::string& text) const;
    using Cuts = std::vector<std::vector<int64_t>>;
    /// The ways in which a phrase may lie in a text, at least one. Pieces have a mark of a word's
    /// beginning, which a phrase that begins with an ideograph has where a text begins with it or
    /// has a blank before it, and else has not.
    Result<Cuts> encodePhrase(const std::string& phrase) const;
    /// Whether some part of a text has no label of its own.
    bool hasUnknown(const std::vector<int64_t>& tokens) const;
    /// Its texts are cut by a seg_dict: their capitals are lost, and their tokens say where a word
    /// goes on, not where one begins.
    bool hasSegDict() const { return m_segDict.has_value(); }
    /// A transcript as decode() can give it.
    std::string asWritten(const std::string& text) const;
    bool isOfWords() const { return !m_pieces && !m_bytePairs && m_unit == Unit::Word; }
    /// Labels joined, words by blanks; the blank must have been removed. bos, eos and an output
    /// without a label spell nothing, <unk> among characters is "⁇".
    std::string decode(const std::vector<int64_t>& tokens) const;
    const std::vector<std::string>& labels() const { return m_labels; }
    /// Of labels(); one of those need not be a part of any text.
    std::optional<int64_t> indexOf(const std::string& label) const;
    /// What the tokenizer says itself; labels written as <noise> are of no text.
    Vocabulary vocabulary() const;
    /// As decode::CtcVocabulary reads them: a word begins with its mark "▁", as pieces do.
    std::vector<std::string> searchLabels() const;
    /// "the training texts have 31 labels …", for messages.
    std::string sizeText() const;

private:
    static constexpr const char* kBlankLabel = "<blank>";
    static constexpr const char* kTokenTypeExtra = "token_type"; ///< "word" of words
    static constexpr const char* kSegDict = "seg_dict"; ///< upstream's file, and the extra
    enum class Unit { Character, Word };

    TextEncoder() = default;
    static TextEncoder fromUnits(const std::vector<std::string>& texts,
        const settings::SpecialLabels& special, Unit unit, bool hasUnknown);
    std::vector<std::string> unitsOf(const std::string& text) const;
    Result<std::vector<int64_t>> encodePieces(const std::string& text) const;
    Error notKnown(const std::string& unit, const std::string& text) const;
    static Result<TextEncoder> parse(std::string_view text);
    static Result<TextEncoder> fromTokens(const Vocabulary& list, const std::string& segDict);
    Status add(std::string_view line);
    Status addExtra(std::string_view line);
    Status finish();
    void readExtra(const std::string& key, const std::string& value);
    void insertSpecial(const settings::SpecialLabels& special);
    bool isBoundary(int64_t token) const;

    Unit m_unit = Unit::Character;
    std::optional<SentencePiece> m_pieces; ///< then `m_unit` and what is of the label file are idle
    std::optional<BytePairs> m_bytePairs; ///< the same
    bool m_isNormalized = false; ///< with the recipe's key
    bool m_areTargetsNormalized = false; ///< and where it is true
    std::optional<SegDict> m_segDict; ///< cuts texts where there is one
    std::vector<std::string> m_labels; ///< by index
    std::vector<int64_t> m_fileOrder;
    std::map<std::string, int64_t> m_indexOf;
    std::vector<std::pair<std::string, std::string>> m_extras; ///< key, value as a literal
    int64_t m_blankIndex = 0;
    int64_t m_unknownIndex = -1; ///< -1: none
    int64_t m_bosIndex = -1; ///< -1: none
    int64_t m_eosIndex = -1; ///< -1: none
};

} // namespace earwright::data
