#pragma once

#include "core/base/result.h"
#include "core/data/vocabulary.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// Words of a language, each with the spelling that stands for it.
using Spellings = std::map<std::string, std::string, std::less<>>;

/// A byte-level byte-pair encoding (GPT-2's, which Whisper has), as Hugging Face's tokenizers
/// writes one: texts are cut into words, and their bytes are merged by rank. Safe from any thread;
/// copies share all.
class BytePairs final {
public:
    /// Of a folder of the Hub: tokenizer.json, or else vocab.json and merges.txt with
    /// added_tokens.json. Tokens of tokenizer_config.json and the spellings of normalizer.json come
    /// with them where these files are there. Errors name the file: those of parse(), none of these
    /// files, a file that is no JSON, a token that two of them have at one index or at two.
    static Result<BytePairs> read(const std::filesystem::path& folder);
    /// Of the text of a tokenizer.json, or of fileText(). An error says which part is another than
    /// byte-level BPE without a normalizer, or broken.
    static Result<BytePairs> parse(const std::string& json);

    /// A tokenizer.json, from which the tokenizers library reads the same.
    const std::string& tokenizerJson() const;
    /// The same with the spellings as one more member, which that library refuses: for a run.
    std::string fileText() const;

    /// By index, "" where an index has none: "Ġthe", a letter a byte; "<|endoftext|>".
    const std::vector<std::string>& tokens() const;
    std::optional<int64_t> indexOf(const std::string& token) const;
    /// Of tokens that no text is cut into but by their names. "<|0.00|>" is none.
    bool isSpecial(int64_t index) const;
    /// Its end and its beginning are "<|endoftext|>" and "<|startoftranscript|>" where it has them.
    Vocabulary vocabulary() const;
    /// Those of normalizer.json; empty where the folder has none.
    const Spellings& spellings() const;

    /// As `encode(text, add_special_tokens=False)`: nothing is put before or behind. A token that
    /// was added to the merged ones is found in the text by its name.
    std::vector<int64_t> encode(const std::string& text) const;
    /// Bytes that are no UTF-8 become U+FFFD. An index without a token spells nothing.
    std::string decode(const std::vector<int64_t>& indices, bool skipSpecial = true) const;

private:
    struct Tables;
    struct Builder;
    explicit BytePairs(std::shared_ptr<const Tables> tables);

    std::shared_ptr<const Tables> m_tables;
};

} // namespace earwright::data
