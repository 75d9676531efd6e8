#include "app/cli/transcripts.h"

#include "app/cli/progress.h"
#include "app/cli/transcript_text.h"
#include "core/base/file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kymo::cli {

namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kBetweenShows { 0.2 };

} // namespace

/// By the file that will be written before it gets its name (writeFileAtomically()).
Status canWrite(const fs::path& file)
{
    std::error_code problem;
    if (fs::is_directory(file, problem))
        return Error { "cannot write '" + file.string() + "': it is a folder" };
    const fs::path unfinished = file.string() + ".tmp";
    const int opened = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (opened < 0)
        return Error { "cannot write '" + file.string()
            + "': " + std::error_code(errno, std::generic_category()).message() };
    ::close(opened);
    fs::remove(unfinished, problem);
    return Done {};
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

void Transcripts::hear(size_t utterance, const train::Heard& heard)
{
    m_heard[utterance] = heard;
    m_isHeard[utterance] = true;
    m_count += 1;
    m_secondsHeard += m_utterances[utterance].durationSeconds;
    if (!m_output.isJson && m_output.file.empty())
        printReady();
    if (m_isTerminal)
        showProgress();
}

void Transcripts::printReady()
{
    if (m_printed == m_heard.size() || !m_isHeard[m_printed])
        return;
    clearProgress();
    for (; m_printed < m_heard.size() && m_isHeard[m_printed]; ++m_printed)
        std::cout << asText(m_utterances[m_printed], m_heard[m_printed], m_output.isList);
    std::cout << std::flush;
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
    std::fprintf(stderr, "\r\033[K%zu of %zu utterances  ETA %s", m_count, m_heard.size(),
        durationText(left).c_str());
    std::fflush(stderr);
}

void Transcripts::clearProgress()
{
    if (m_isTerminal)
        std::fputs("\r\033[K", stderr);
}

std::string Transcripts::jsonText() const
{
    auto list = nlohmann::ordered_json::array();
    for (size_t i = 0; i < m_heard.size(); ++i)
        if (m_isHeard[i])
            list.push_back(asJson(m_utterances[i], m_heard[i], m_output.isSearch));
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
        text += m_isHeard[i] ? asText(m_utterances[i], m_heard[i], m_output.isList) : "";
    return text;
}

Status Transcripts::finish(const CountedHotwords& hotwords)
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
    m_scores.emplace(utterances, heard, hotwords);
    const std::string text = m_output.isJson ? jsonText() : wholeText();
    if (!m_output.file.empty())
        return writeFileAtomically(m_output.file, text);
    std::cout << text << std::flush;
    return Done {};
}

std::vector<std::string> Transcripts::problems() const
{
    std::vector<std::string> lines;
    for (const train::Heard& one : m_heard)
        if (!one.problem.empty())
            lines.push_back(one.problem);
    return lines;
}

} // namespace kymo::cli
