#include "app/cli/transcripts.h"

#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/terminal.h"
#include "core/base/file.h"
#include "core/base/link_target.h"

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kBetweenShows { 0.2 };

} // namespace

/// Of a file its folder is asked, where it is replaced (writeFileAtomically()).
Status canWrite(const fs::path& file)
{
    std::error_code problem;
    const fs::file_type type = fs::status(file, problem).type();
    if (type == fs::file_type::directory)
        return Error { "cannot write '" + file.string() + "': it is a folder" };
    const fs::path folder = linkTarget(fs::absolute(file, problem)).parent_path();
    const bool isKnown = type != fs::file_type::none; // a name may be too long
    if (isKnown && ::access((isNode(file) ? file : folder).c_str(), W_OK) != 0)
        problem = std::error_code(errno, std::generic_category());
    if (isKnown && !problem)
        return Done {};
    return Error { "cannot write '" + file.string() + "': " + problem.message() };
}

Transcripts::Transcripts(const std::vector<data::Utterance>& utterances, TranscriptOutput output)
    : m_utterances(utterances)
    , m_output(std::move(output))
    , m_heard(utterances.size())
    , m_isHeard(utterances.size())
    , m_isTerminal(isatty(STDERR_FILENO) != 0)
{
    for (const data::Utterance& utterance : utterances)
        m_secondsInAll += utterance.durationSeconds;
}

Status Transcripts::hear(size_t utterance, const train::Heard& heard)
{
    m_heard[utterance] = heard;
    m_isHeard[utterance] = true;
    m_count += 1;
    m_secondsHeard += m_utterances[utterance].durationSeconds;
    if (m_isTerminal)
        showProgress();
    const bool isPrinted = !m_output.isJson && m_output.file.empty();
    return isPrinted ? printReady() : Done {};
}

Status Transcripts::printReady()
{
    if (m_printed == m_heard.size() || !m_isHeard[m_printed])
        return Done {};
    clearProgress();
    for (; m_printed < m_heard.size() && m_isHeard[m_printed]; ++m_printed)
        std::cout << asText(m_utterances[m_printed], m_heard[m_printed], m_output.lines);
    return flushOutput();
}

void Transcripts::showProgress()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_shown < kBetweenShows)
        return;
    m_shown = now;
    const double left = m_secondsHeard > 0
        ? Seconds(now - m_begin).count() * (m_secondsInAll / m_secondsHeard - 1)
        : -1;
    clearLine();
    std::cerr << m_count << " of " << m_heard.size() << " utterances  ETA " << durationText(left)
              << std::flush;
}

void Transcripts::clearProgress()
{
    clearLine();
}

std::string Transcripts::jsonText() const
{
    auto list = nlohmann::ordered_json::array();
    for (size_t i = 0; i < m_heard.size(); ++i)
        if (m_isHeard[i])
            list.push_back(asJson(m_utterances[i], m_heard[i], m_output.lines, m_output.isSearch));
    nlohmann::ordered_json all { { "utterances", std::move(list) } };
    if (!m_scores->isEmpty())
        all["scores"] = m_scores->json();
    // A path may hold any bytes.
    return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string Transcripts::wholeText() const
{
    std::string text;
    for (size_t i = m_printed; i < m_heard.size(); ++i)
        text += m_isHeard[i] ? asText(m_utterances[i], m_heard[i], m_output.lines) : "";
    return text;
}

Status Transcripts::finish(const Scoring& scoring, const CountedHotwords& hotwords)
{
    clearProgress();
    std::vector<data::Utterance> utterances;
    std::vector<train::Heard> heard;
    for (size_t i = 0; i < m_heard.size(); ++i) {
        if (!m_isHeard[i])
            continue;
        utterances.push_back(m_utterances[i]);
        heard.push_back(m_heard[i]);
    }
    m_scores.emplace(utterances, heard, scoring, hotwords);
    const std::string text = m_output.isJson ? jsonText() : wholeText();
    Status written = Done {};
    if (!m_output.file.empty() && (written = writeFileAtomically(m_output.file, text)))
        return written;
    std::cout << text; // hours of work where the file's disk is full
    const Status printed = flushOutput();
    if (m_output.file.empty())
        return printed;
    return Error { written.error().message + (printed ? "; the texts are printed instead" : "") };
}

size_t Transcripts::shortLists(size_t texts) const
{
    size_t count = 0;
    for (size_t i = 0; i < m_heard.size(); ++i)
        if (m_isHeard[i] && m_heard[i].problem.empty() && m_heard[i].hypotheses.size() < texts)
            ++count;
    return count;
}

std::vector<std::string> Transcripts::problems() const
{
    std::vector<std::string> lines;
    for (const train::Heard& one : m_heard)
        if (!one.problem.empty())
            lines.push_back(one.problem);
    return lines;
}

} // namespace earwright::cli
