#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kymo::data {

/// speechbrain.dataio.encoder.CTCTextEncoder: label <-> index with a blank. File format: sb_text_encoder of the parity cases.
class TextEncoder final {
public:
    /// One label a character (code point), in order of first appearance after the blank at `blankIndex`, as update_from_didataset does.
    static TextEncoder fromTexts(const std::vector<std::string>& texts, int64_t blankIndex);
    static Result<TextEncoder> load(const std::filesystem::path& path);
    Status save(const std::filesystem::path& path) const;

    int64_t size() const { return static_cast<int64_t>(m_labels.size()); } ///< blank included
    int64_t blankIndex() const { return m_blankIndex; }
    /// The error names the unknown character.
    Result<std::vector<int64_t>> encode(const std::string& text) const;
    /// Labels joined; the blank must have been removed.
    std::string decode(const std::vector<int64_t>& tokens) const;
    const std::vector<std::string>& labels() const { return m_labels; }

private:
    std::vector<std::string> m_labels;
    std::map<std::string, int64_t> m_indexOf;
    int64_t m_blankIndex = 0;
};

} // namespace kymo::data
