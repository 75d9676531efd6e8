#pragma once

#include "core/base/result.h"
#include "core/data/byte_pairs.h"
#include "core/data/sentence_piece.h"
#include "core/data/text_codec.h"
#include "core/data/vocabulary.h"
#include "core/data/word_pieces.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

class BytePairCodec;
class LabelCodec;

/// Text <-> token indices, with a blank: characters or words as
/// speechbrain.dataio.encoder.CTCTextEncoder numbers them, the pieces of a SentencePiece model, or
/// of a folder of the Hub byte pairs, which have no blank, or word pieces.
/// File of characters and words: one line a label, `'x' => 3` with the label as a Python literal,
/// in the order the labels were added; a line of 16 equals signs; then `'starting_index' => 0`,
/// `'blank_label' =>
/// '<blank>'` and the like; of words there is `'token_type' => 'word'` too, which upstream reads
/// past. File of pieces: the model, whose name ends in .model. File of byte pairs and of word
/// pieces: tokenizer.json.
/// FunASR's tokens.json or tokens.txt is read as labels of characters or, with its seg_dict beside
/// it, as that cuts words, and written as above, with the seg_dict's text as `'seg_dict' => '…'`.
/// Copies share what they are made of until one is changed.
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
    /// BERT's, of texts without their blanks, as AISHELL-1's script cuts them. encode() puts [CLS]
    /// and [SEP] around them. An error where `special` has another blank than [PAD].
    static Result<TextEncoder> fromWordPieces(
        WordPieces pieces, const settings::SpecialLabels& special);
    /// Errors name path and line: no such file, no UTF-8, a label that is no text, an index twice
    /// or left out, no blank; for a model, as fromPieces(). `special` is read of a model only.
    static Result<TextEncoder> load(
        const std::filesystem::path& path, const settings::SpecialLabels& special = {});
    /// Of byte pairs: errors are counted between normalized() texts, and with `areTargets` encode()
    /// takes a text so. decode() writes them as before.
    void normalize(bool areTargets);
    /// Of characters: words have one blank behind each, the last one too, as the lexicon of k2
    /// spells them (`<eow>`). decode() leaves the last one out.
    void endWords();
    /// Upstream's file of phones does not say that its labels are whole ones with blanks between.
    void cutAtBlanks();
    /// Of labels: `<unk>` behind all others, where upstream's add_unk() puts it when it comes last.
    void addUnknown();
    /// Characters or words of the texts that have no label yet get one behind all others; with a
    /// seg_dict none does, which would not know it.
    void addLabels(const std::vector<std::string>& texts);
    /// The same bytes upstream writes; a loaded file is written back unchanged.
    Status save(const std::filesystem::path& path) const;
    std::string fileText() const { return m_codec->fileText(); }

    int64_t size() const { return std::ssize(labels()); } ///< blank included
    int64_t blankIndex() const { return m_codec->blankIndex(); } ///< -1 of byte pairs
    /// Null of all other encoders.
    const BytePairs* bytePairs() const;
    /// What is scored of a text, by normalizedEnglish(); the text itself where there was no
    /// normalize().
    std::string normalized(const std::string& text) const;
    /// Characters and words without a label take unk_label's index where the file has one, parts
    /// without a piece the model's unk_id where that is not the blank; else the error names them.
    Result<std::vector<int64_t>> encode(const std::string& text) const;
    using Cuts = TextCodec::Cuts;
    /// The ways in which a phrase may lie in a text, at least one. Pieces have a mark of a word's
    /// beginning, which a phrase that begins with an ideograph has where a text begins with it or
    /// has a blank before it, and else has not.
    Result<Cuts> encodePhrase(const std::string& phrase) const;
    /// Whether some part of a text has no label of its own.
    bool hasUnknown(const std::vector<int64_t>& tokens) const;
    /// Its texts are cut by a seg_dict: their capitals are lost, and their tokens say where a word
    /// goes on, not where one begins.
    bool hasSegDict() const;
    /// BERT's: its texts have no blanks.
    bool hasWordPieces() const { return m_hasWordPieces; }
    /// A transcript as decode() can give it.
    std::string asWritten(const std::string& text) const { return m_codec->asWritten(text); }
    bool isOfWords() const;
    /// Labels joined, words by blanks; the blank must have been removed. bos, eos and an output
    /// without a label spell nothing, <unk> among characters is "⁇".
    std::string decode(const std::vector<int64_t>& tokens) const { return m_codec->decode(tokens); }
    const std::vector<std::string>& labels() const { return m_codec->labels(); }
    /// Of labels(); one of those need not be a part of any text.
    std::optional<int64_t> indexOf(const std::string& label) const;
    /// What the tokenizer says itself; labels written as <noise> are of no text.
    Vocabulary vocabulary() const { return m_codec->vocabulary(); }
    /// As decode::CtcVocabulary reads them: a word begins with its mark "▁", as pieces do.
    std::vector<std::string> searchLabels() const { return m_codec->searchLabels(); }
    /// "the training texts have 31 labels …", for messages.
    std::string sizeText() const { return m_codec->sizeText(); }

private:
    explicit TextEncoder(std::shared_ptr<const TextCodec> codec);
    static TextEncoder fromLabels(LabelCodec labels);
    template <class Change>
    void changeLabels(Change change);

    std::shared_ptr<const TextCodec> m_codec; ///< never null
    std::shared_ptr<const LabelCodec> m_labels; ///< m_codec where it is one, else null
    std::shared_ptr<const BytePairCodec> m_bytePairs; ///< m_codec where it is one, else null
    bool m_hasWordPieces = false;
};

} // namespace earwright::data
