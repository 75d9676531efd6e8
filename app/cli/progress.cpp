#include "app/cli/progress.h"

#include "app/cli/repeated_errors.h"
#include "app/cli/terminal.h"
#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/run/test_scores.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace earwright::cli {

namespace {

constexpr double kLineInterval = 10; // seconds between plain lines
constexpr size_t kMostDamage = 20;

std::string format(const char* pattern, double value)
{
    char text[64];
    std::snprintf(text, sizeof(text), pattern, value);
    return text;
}

std::string lastLoss(const run::Snapshot& snapshot)
{
    const auto found = snapshot.series.find("train/loss");
    if (found == snapshot.series.end() || found->second.points().empty())
        return "-";
    return format("%.3f", found->second.points().back().value);
}

/// Of texts without words to count the WER says nothing.
std::string ratesText(const run::Evaluated& scores)
{
    const bool hasWords = scores.rate == "WER";
    return (hasWords ? " WER " + format("%.1f", scores.wer) : "") + " CER "
        + format("%.1f", scores.cer);
}

/// Of the error rate that counts, "10.20 to 14.90"; "" where there is none.
std::string intervalText(const run::Snapshot& snapshot, const run::Evaluated& scores)
{
    const auto interval = run::intervalOf(snapshot, scores, scores.rate);
    return interval ? format("%.2f", interval->low) + " to " + format("%.2f", interval->high) : "";
}

std::string summaryLine(const run::Snapshot& snapshot)
{
    std::string line = "epoch " + std::to_string(snapshot.epoch) + "/"
        + std::to_string(snapshot.started.numberOfEpochs) + "  step "
        + std::to_string(snapshot.step) + "/" + std::to_string(snapshot.totalSteps) + "  loss "
        + lastLoss(snapshot) + "  ";
    line += snapshot.state == run::State::Paused
        ? run::stateName(snapshot.state)
        : format("%.2f it/s", snapshot.itPerSecond) + "  ETA " + durationText(snapshot.etaSeconds);
    if (!snapshot.evaluations.empty()) {
        const run::Evaluated& scores = snapshot.evaluations.back();
        line += "  " + scores.split + ratesText(scores);
    }
    return line;
}

std::string bar(const run::Snapshot& snapshot)
{
    constexpr int kWidth = 24;
    const double share = snapshot.totalSteps > 0
        ? static_cast<double>(snapshot.step) / static_cast<double>(snapshot.totalSteps)
        : 0;
    const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
    std::string text;
    for (int i = 0; i < kWidth; ++i)
        text += i < full ? "█" : "░";
    return text;
}

/// What was printed so far.
struct Printed {
    bool terminal = isatty(STDERR_FILENO) != 0;
    size_t logLines = 0;
    size_t nonFinite = 0;
    size_t evaluations = 0;
    double lastTime = 0;
    RepeatedErrors errors;
};

void printPlain(Printed& printed, const run::Snapshot& snapshot)
{
    const bool validated = snapshot.evaluations.size() > printed.evaluations;
    if (snapshot.step == 0 || (!validated && snapshot.lastTime - printed.lastTime < kLineInterval))
        return;
    printed.evaluations = snapshot.evaluations.size();
    printed.lastTime = snapshot.lastTime;
    std::cerr << summaryLine(snapshot) << "\n";
}

/// All its utterances: any may be the cause.
void printNonFinite(const run::NonFinite& event)
{
    std::vector<std::string> names;
    for (const std::string& utterance : event.utterances)
        names.push_back(inQuotes(utterance));
    clearLine();
    std::cerr << "warning: step " << event.step << ": " << event.what
              << " not finite in a batch with " << join(names, ", ")
              << (event.skipped ? "; the step is skipped\n" : "\n");
}

void print(Printed& printed, const run::Snapshot& snapshot)
{
    printed.nonFinite = std::min(printed.nonFinite, snapshot.nonFinite.size()); // after a restart
    for (; printed.nonFinite < snapshot.nonFinite.size(); ++printed.nonFinite)
        printNonFinite(snapshot.nonFinite[printed.nonFinite]);
    for (; printed.logLines < snapshot.log.size(); ++printed.logLines) {
        const run::LogLine& line = snapshot.log[printed.logLines];
        if (printed.errors.has(line))
            continue;
        const std::string who = line.rank < 0 ? "supervisor" : "rank " + std::to_string(line.rank);
        clearLine();
        std::cerr << "[" << who << "] " << line.level << ": " << line.text << "\n";
    }
    if (printed.terminal) {
        clearLine();
        std::cerr << bar(snapshot) << " " << summaryLine(snapshot) << std::flush;
    } else
        printPlain(printed, snapshot);
}

} // namespace

std::string durationText(double seconds)
{
    if (seconds < 0 || !std::isfinite(seconds))
        return "?";
    const auto whole = static_cast<long long>(seconds + 0.5);
    char text[64];
    if (whole >= 3600)
        std::snprintf(
            text, sizeof(text), "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        std::snprintf(text, sizeof(text), "%lld:%02lld", whole / 60, whole % 60);
    return text;
}

std::function<void(const run::Snapshot&)> progressPrinter()
{
    return [printed = std::make_shared<Printed>()](
               const run::Snapshot& snapshot) { print(*printed, snapshot); };
}

std::string table(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        for (size_t i = 0; i < row.size(); ++i)
            text += row[i]
                + (i + 1 < row.size() ? std::string(widths[i] - displayWidth(row[i]) + 2, ' ')
                                      : "");
        text += '\n';
    }
    return text;
}

std::string damageLines(const std::vector<run::LogDamage>& damage)
{
    std::string text;
    for (size_t i = 0; i < std::min(damage.size(), kMostDamage); ++i)
        text += "warning: " + run::damageText(damage[i]) + "\n";
    if (damage.size() > kMostDamage)
        text += "warning: " + std::to_string(damage.size() - kMostDamage)
            + " more parts of the event files are damaged\n";
    return text;
}

namespace {

/// On a terminal the ranks' lines stand above the result.
bool isErrorAbove(const run::Snapshot& snapshot)
{
    const auto tellsIt = [&](const run::LogLine& line) { return line.text == snapshot.error; };
    return isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)
        && std::any_of(snapshot.log.begin(), snapshot.log.end(), tellsIt);
}

} // namespace

std::string resultText(const run::RunFolder& folder, const run::Snapshot& snapshot)
{
    std::string text = isatty(STDERR_FILENO) ? "\n" : "";
    text += "state: " + run::stateName(snapshot.state) + " after " + std::to_string(snapshot.step)
        + " steps, " + durationText(snapshot.workSeconds) + "\n";
    std::vector<std::vector<std::string>> rows { { "split", "epoch", "loss", "WER %", "CER %",
        "95 % interval" } };
    std::vector<run::Evaluated> shown = run::testScores(snapshot);
    const auto valid = std::find_if(snapshot.evaluations.rbegin(), snapshot.evaluations.rend(),
        [](const run::Evaluated& scores) { return scores.split == "valid"; });
    if (valid != snapshot.evaluations.rend())
        shown.insert(shown.begin(), *valid);
    for (const run::Evaluated& scores : shown)
        rows.push_back({ scores.split, std::to_string(scores.epoch), format("%.4f", scores.loss),
            scores.rate == "WER" ? format("%.2f", scores.wer) : "-", format("%.2f", scores.cer),
            intervalText(snapshot, scores) });
    if (rows.size() > 1)
        text += table(rows);
    if (!snapshot.error.empty() && !isErrorAbove(snapshot))
        text += "error: " + snapshot.error + "\n";
    text += damageLines(snapshot.damage);
    return text + "run: " + folder.path.string() + "\n";
}

} // namespace earwright::cli
