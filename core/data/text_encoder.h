#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kymo::data {

/// Where labels that no text has are put. bos, eos: the ends of a sentence, for a decoder; one that
/// shares its index with another special label is that label.
struct SpecialLabels {
    int64_t blank = 0;
    std::optional<int64_t> bos {};
    std::optional<int64_t> eos {};
    const char* bosLabel = "<bos>"; ///< SpeechBrain's; FunASR's are "<s>" and "</s>"
    const char* eosLabel = "<eos>";
};

/// speechbrain.dataio.encoder.CTCTextEncoder: label <-> index with a blank.
/// File: one line a label, `'x' => 3` with the label as a Python literal, in the order the labels
/// were added; a line of 16 equals signs; then `'starting_index' => 0`, `'blank_label' =>
/// '<blank>'` and the like.
class TextEncoder final {
public:
    /// One label a character (code point), in order of first appearance around the special ones, as
    /// insert_blank, insert_bos_eos and then update_from_didataset give them. With fewer labels
    /// than its index a special one comes last.
    static TextEncoder fromTexts(
        const std::vector<std::string>& texts, const SpecialLabels& special);
    static TextEncoder fromTexts(const std::vector<std::string>& texts, int64_t blankIndex)
    {
        return fromTexts(texts, SpecialLabels { .blank = blankIndex });
    }
    /// Errors name path and line: no such file, a label that is no text, an index twice or left
    /// out, no blank.
    static Result<TextEncoder> load(const std::filesystem::path& path);
    /// The same bytes upstream writes; a loaded file is written back unchanged.
    Status save(const std::filesystem::path& path) const;
    std::string fileText() const;

    int64_t size() const { return static_cast<int64_t>(m_labels.size()); } ///< blank included
    int64_t blankIndex() const { return m_blankIndex; }
    /// Characters without a label take unk_label's index where the file has one; else the error
    /// names the character.
    Result<std::vector<int64_t>> encode(const std::string& text) const;
    /// Labels joined; the blank must have been removed. bos, eos and an output without a label
    /// spell nothing.
    std::string decode(const std::vector<int64_t>& tokens) const;
    const std::vector<std::string>& labels() const { return m_labels; }

private:
    TextEncoder() = default;
    static Result<TextEncoder> parse(std::string_view text);
    Status add(std::string_view line);
    Status addExtra(std::string_view line);
    Status finish();
    void insertSpecial(const SpecialLabels& special);
    bool isBoundary(int64_t token) const;

    std::vector<std::string> m_labels; ///< by index
    std::vector<int64_t> m_fileOrder;
    std::map<std::string, int64_t> m_indexOf;
    std::vector<std::pair<std::string, std::string>> m_extras; ///< key, value as a literal
    int64_t m_blankIndex = 0;
    int64_t m_unknownIndex = -1; ///< -1: none
    int64_t m_bosIndex = -1; ///< -1: none
    int64_t m_eosIndex = -1; ///< -1: none
};

} // namespace kymo::data
