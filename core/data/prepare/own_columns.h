#pragma once

#include "core/data/csv.h"
#include "core/data/manifest.h"
#include "core/data/prepare/extent.h"
#include "core/data/prepare/json_rows.h"
#include "core/data/prepare/own_list.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// A row of a list and what is told of it while it is read.
struct OwnRow {
    Utterance utterance;
    std::string path; ///< of the audio in the list's folder, without its ending
    std::string split; ///< in the list's words; "" where it says none
    bool hasDigits = false; ///< which normalising takes out
    bool isOnlyTags = false; ///< its text
    bool hasTooMany = false; ///< fields: a text is cut at its comma
    std::string unread; ///< why one of its values is not
    Extent extent; ///< in its file
    bool isOfCutFile = false; ///< of which other rows are parts
    bool isNamedByFile = false; ///< it has no ID of its own
    bool sharesLine = false; ///< with others
};

/// Reads rows by column names.
class OwnColumns final {
public:
    explicit OwnColumns(const CsvRow& header);
    bool isComplete() const { return m_wav && m_text; }
    bool hasIds() const { return m_id.has_value(); }
    /// `tags`: those of its text are added.
    OwnRow read(const CsvRow& row, const OwnListOptions& options, TranscriptTags& tags) const;
    /// Why a value of the row at `index` cannot be read; "" where all can. A text may be a list.
    std::string unreadIn(size_t index, const NotTexts& notTexts) const;

private:
    Extent extentOf(const CsvRow& row) const;
    StartUnit startUnitOf(const CsvRow& row) const;
    std::string nameOf(std::optional<size_t> column) const;

    std::vector<std::string> m_names; ///< first: others are found by it
    std::optional<size_t> m_wav;
    std::optional<size_t> m_text;
    std::optional<size_t> m_id;
    std::optional<size_t> m_speaker;
    std::optional<size_t> m_split;
    std::optional<size_t> m_start;
    std::optional<size_t> m_end;
    std::optional<size_t> m_stop;
    std::optional<size_t> m_duration;
    std::optional<size_t> m_startInFile; ///< of a JSON object with file, start and stop
    std::optional<size_t> m_stopInFile;
};

} // namespace earwright::data
