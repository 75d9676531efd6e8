#pragma once

#include "core/base/result.h"
#include "core/data/vocabulary.h"
#include "core/settings/labels.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace earwright::data {

/// Labels with their indices, and what else a label encoder's file says.
struct LabelTable {
    static constexpr const char* kBlank = "<blank>";
    static constexpr const char* kTokenType = "token_type"; ///< of the extras: "word" of words
    static constexpr const char* kEndsWords = "ends_words"; ///< "True" where words end in a blank
    static constexpr const char* kSegDict = "seg_dict"; ///< upstream's file, and the extra

    std::vector<std::string> labels {}; ///< by index
    std::vector<int64_t> fileOrder {}; ///< indices, as the file lists their labels
    std::map<std::string, int64_t> indexOf {};
    std::vector<std::pair<std::string, std::string>> extras {}; ///< key, value as a literal
    int64_t blankIndex = 0;
    int64_t unknownIndex = -1; ///< -1: none
    int64_t bosIndex = -1; ///< -1: none
    int64_t eosIndex = -1; ///< -1: none

    int64_t size() const { return static_cast<int64_t>(labels.size()); }
    bool isBoundary(int64_t token) const { return token == bosIndex || token == eosIndex; }
    /// The special labels among those of `labels`, which move up; for a table without indexOf.
    void insertSpecial(const settings::SpecialLabels& special);
};

/// Of a label encoder's file. Errors name the line: a label that is no text, an index twice or left
/// out; no blank.
Result<LabelTable> parseLabels(std::string_view text);
/// Of FunASR's list, with the text of its seg_dict, "" where it has none. An error where it has no
/// blank.
Result<LabelTable> labelsOfList(const Vocabulary& list, const std::string& segDict);
/// The file's text: the same bytes as upstream writes, and as parseLabels() read.
std::string textOfLabels(const LabelTable& table);

} // namespace earwright::data
