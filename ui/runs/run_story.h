#pragma once

#include "core/run/snapshot.h"

#include <QString>

#include <vector>

namespace kymo::ui {

/// "WER 12.50 %, CER 4.00 %"; of texts without words to count "CER 4.00 %".
QString ratesText(const run::Evaluated& evaluated);

/// What happened in a run, line by line: what its ranks said, and between it the start,
/// validations, checkpoints, steps that were skipped and the end. Only ever grows while a run goes
/// on, so that a view appends; an update that is not a continuation starts again. GUI thread only.
class RunStory final {
public:
    /// Adds what is new since the last update. False where it had to start again.
    bool update(const run::Snapshot& snapshot);
    const std::vector<run::LogLine>& lines() const { return m_lines; }

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

    std::vector<run::LogLine> m_lines;
    Told m_told;
};

} // namespace kymo::ui
