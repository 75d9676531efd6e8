#pragma once

#include "core/run/snapshot.h"

#include <QString>

#include <vector>

namespace earwright::ui {

/// "WER 12.50 %, CER 4.00 %"; of texts without words to count "CER 4.00 %".
QString ratesText(const run::Evaluated& evaluated);

/// What happened in a run, line by line (of a text of several, each): what its ranks said, and
/// between it the start, validations, checkpoints, steps that were skipped and the end, in order of
/// time. While a run
/// goes on, lines are only added, most of them at the end: a rank may tell late what happened
/// before. An update that is not a continuation starts again. GUI thread only.
class RunStory final {
public:
    /// Adds what is new since the last update. False where it had to start again.
    bool update(const run::Snapshot& snapshot);
    const std::vector<run::LogLine>& lines() const { return m_lines; }
    /// So many of them, from the first, stand where they stood before the latest update.
    size_t numKept() const { return m_numKept; }

private:
    /// How much of each part of a snapshot has been told.
    struct Told {
        size_t messages = 0;
        size_t evaluations = 0;
        size_t checkpoints = 0;
        size_t nonFinite = 0;
        size_t attempts = 0;
        bool end = false;
    };
    static Told toldBy(const run::Snapshot& snapshot);
    bool continues(const Told& now) const;

    void add(std::vector<run::LogLine> fresh);

    std::vector<run::LogLine> m_lines;
    size_t m_numKept = 0;
    Told m_told;
};

} // namespace earwright::ui
