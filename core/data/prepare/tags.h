#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// What corpora write into transcripts beside words, and how often it was met, as it is written.
struct TranscriptTags {
    using Counts = std::map<std::string, int64_t>;
    Counts leftOut = {}; ///< known: <COMMA>, [noise], <unk>, {breath}, <|en|>, ++um++, %uh, （笑）
    Counts replaced = {}; ///< by what they stand for: &amp;, [laughter-yes]
    Counts unknown = {}; ///< left as they are
    Counts kept = {}; ///< any of these where texts are kept

    void add(const TranscriptTags& more);
    /// A line for each kind that was met.
    std::vector<std::string> notes() const;
};

/// Why a text is left out where nothing stands beside such.
constexpr const char* kOnlyTags = "no word beside tags";

/// A transcript without tags and with the signs that HTML's entities stand for. "AS <COMMA> R&amp;B
/// [noise]" -> "AS R&B".
std::string withoutTags(std::string_view text, TranscriptTags& met);

/// Counts them, and leaves the text.
void countTags(std::string_view text, TranscriptTags& met);

} // namespace earwright::data
