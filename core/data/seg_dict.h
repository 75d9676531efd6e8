#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// FunASR's seg_dict, which lies beside the token list of a released model: how words are cut into
/// the list's tokens (funasr.tokenizer.char_tokenizer).
class SegDict final {
public:
    static constexpr const char* kUnknown = "<unk>";

    /// A line a word and its tokens: "hello hel@@ lo", with a tab behind the word or a blank.
    explicit SegDict(std::string_view text);

    /// Words at blanks, in lower case (of ASCII), as the dictionary has them, as seg_tokenize()
    /// cuts them; a word that it has not by ideographs and what is between them, and these by
    /// characters. "<unk>" is what it has not, once for a word that begins with another sign.
    /// Upstream has an "<unk>" for each letter that is next to an ideograph without a blank.
    std::vector<std::string> cut(const std::string& text) const;
    /// The first word of `text` that it cannot cut into tokens of its own; "" where there is none.
    std::string unknownWord(const std::string& text) const;

    /// As sentence_postprocess() joins tokens: those that end in @@ with the next, a blank behind
    /// other words of letters but before an ideograph or a digit. Single letters stay as they are,
    /// where upstream writes them as one abbreviation in capitals.
    static std::string join(const std::vector<std::string>& tokens);

private:
    std::vector<std::string> cutWord(const std::string& word) const;
    std::map<std::string, std::vector<std::string>> m_tokensOf;
};

} // namespace earwright::data
