// What reading an evaluation's utterances costs, as the window and `earwright utterances` do: the
// seconds of readUtterances() for 10,000 and for 100,000 rows of 15 words, and their ratio, which
// is 10 where a row costs the same in both. The fastest of several passes counts. Run by
// utterances.sh:   utterances_bench [PASSES]

#include "core/base/file.h"
#include "core/run/utterances.h"
#include "core/score/text_scores.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

using namespace earwright;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kRows = 10000; ///< and ten times as many

/// Each with one word wrong.
std::vector<run::Utterance> utterances(int count)
{
    const std::string reference
        = "she turned the light of the kitchen on and looked for the keys she lost";
    const std::string heard
        = "she turned the light of the chicken on and looked for the keys she lost";
    const score::TextScores scores
        = score::scoreTexts({ { "", reference, heard } }, score::WordSplit::WhiteSpace);
    std::vector<run::Utterance> rows;
    for (int i = 0; i < count; ++i) {
        const std::string id = "speaker-chapter-" + std::to_string(i);
        rows.push_back({ .id = id,
            .speaker = "speaker" + std::to_string(i % 40),
            .seconds = 5.0 + i % 10,
            .sound = "/corpora/speech/test/" + id + ".flac",
            .reference = reference,
            .hypothesis = heard,
            .byWord = score::summarise(scores.byWord),
            .byCharacter = score::summarise(scores.byCharacter) });
    }
    return rows;
}

/// Seconds of the fastest pass; below 0: they were not read back.
double secondsOf(const run::RunFolder& folder, int count, int passes)
{
    const run::Evaluated evaluated { .split = "test", .alignmentsFile = "test.txt" };
    const Status written = writeFileAtomically(
        run::utterancesFile(folder, evaluated), run::utterancesText(utterances(count)));
    double fastest = written ? 1e9 : -1;
    for (int pass = 0; pass < passes && fastest > 0; ++pass) {
        const auto begin = Clock::now();
        const auto read = run::readUtterances(folder, evaluated);
        const std::chrono::duration<double> spent = Clock::now() - begin;
        const bool isWhole = read && std::ssize(*read) == count;
        fastest = isWhole ? std::min(fastest, spent.count()) : -1;
    }
    return fastest;
}

} // namespace

int main(int count, char** words)
{
    const int passes = count > 1 ? std::atoi(words[1]) : 5;
    std::string folder
        = std::filesystem::temp_directory_path() / "earwright-utterances-bench-XXXXXX";
    if (passes < 1 || !mkdtemp(folder.data()))
        return 2;
    const double few = secondsOf({ folder }, kRows, passes);
    const double many = secondsOf({ folder }, 10 * kRows, passes);
    std::filesystem::remove_all(folder);
    if (few <= 0 || many <= 0) {
        std::fprintf(stderr, "the utterances were not read back in %s\n", folder.c_str());
        return 1;
    }
    std::printf(
        "seconds_%d %.3f seconds_%d %.3f ratio %.2f\n", kRows, few, 10 * kRows, many, many / few);
    return 0;
}
