#pragma once

#include "app/cli/transcript_scores.h"
#include "app/cli/transcript_text.h"

#include <chrono>

namespace earwright::cli {

/// An error where nothing could be written there later: no such folder, a folder itself.
Status canWrite(const std::filesystem::path& file);

/// How and where `earwright transcribe` writes.
struct TranscriptOutput {
    bool isJson = false;
    TextLines lines = TextLines::Texts;
    bool isSearch = false; ///< hypotheses have scores
    std::filesystem::path file; ///< "" = standard output
};

/// The texts of a set of utterances, each printed as soon as those before it are there; JSON and a
/// file are written at the end. A terminal at standard error is told how far it is.
class Transcripts final {
public:
    /// `utterances` outlive it.
    Transcripts(const std::vector<data::Utterance>& utterances, TranscriptOutput output);

    /// An error where standard output takes nothing any more.
    Status hear(size_t utterance, const train::Heard& heard);
    size_t heardCount() const { return m_count; }
    /// What was not printed yet, and into the file; to standard output where that takes nothing.
    Status finish(const Scoring& scoring, const CountedHotwords& hotwords);

    /// Of those that were heard.
    const TranscriptScores& scores() const { return *m_scores; }
    /// How many were heard as fewer than so many texts.
    size_t shortLists(size_t texts) const;
    /// Of sounds without a text, each in a line.
    std::vector<std::string> problems() const;

private:
    Status printReady();
    void showProgress();
    void clearProgress();
    std::string jsonText() const;
    std::string wholeText() const;

    const std::vector<data::Utterance>& m_utterances;
    TranscriptOutput m_output;
    std::vector<train::Heard> m_heard;
    std::vector<bool> m_isHeard;
    size_t m_count = 0; ///< heard
    size_t m_printed = 0; ///< of the first ones
    double m_secondsHeard = 0; ///< of sound
    double m_secondsInAll = 0;
    bool m_isTerminal;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_shown = m_begin;
    std::optional<TranscriptScores> m_scores;
};

} // namespace earwright::cli
