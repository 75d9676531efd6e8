// Times Earwright's CTC searches over one utterance: run by tests/bench/decoders.py.
//   decode_bench LOG_PROBS FRAMES VOCABULARY_FILE beam|prefix BEAM_SIZE REPEATS [ARPA]
// LOG_PROBS: float32, row by row. VOCABULARY_FILE: a label a line, the first the blank.
// Prints {"seconds": of CPU for one search, "text", "score"}.

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/decode/ctc_beam.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

using namespace earwright;

namespace {

template <class T>
T orExit(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

std::vector<std::string> readLabels(const char* file)
{
    std::vector<std::string> labels = split(orExit(readFile(file)), '\n');
    labels.pop_back(); // behind the last line
    return labels;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 7)
        return 2;
    const std::string bytes = orExit(readFile(argv[1]));
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    const int64_t frames = std::atoll(argv[2]);
    const auto width = static_cast<int64_t>(values.size()) / frames;
    decode::CtcSearchSetting setting { .vocabulary = decode::CtcVocabulary(readLabels(argv[3]), 0),
        .options = { .beamSize = std::atoll(argv[5]) },
        .scorer = nullptr,
        .hotwords = nullptr };
    if (argc > 7)
        setting.scorer = std::make_shared<decode::NgramScorer>(
            orExit(decode::NgramModel::open(argv[7])), decode::NgramWeights {});
    const auto search
        = std::string(argv[4]) == "beam" ? decode::ctcBeamSearch : decode::ctcPrefixBeamSearch;
    const int repeats = std::atoi(argv[6]);
    const std::clock_t begin = std::clock();
    std::vector<decode::CtcHypothesis> found;
    for (int i = 0; i < repeats; ++i)
        found = search(setting, { values.data(), frames, width, width });
    const double seconds
        = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / std::max(repeats, 1);
    const nlohmann::json result { { "seconds", seconds }, { "text", found.at(0).text },
        { "score", found.at(0).rank } };
    std::printf("%s\n", result.dump().c_str());
    return 0;
}
