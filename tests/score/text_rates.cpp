// Word error rates of texts, for the test that holds them against jiwer's.
//   text_rates FILE
// FILE: JSON lists of sets, of [reference, hypothesis]. Prints a line a set: edits, words of the
// references, and the rate.

#include "core/base/file.h"
#include "core/score/text_scores.h"

#include <iostream>
#include <nlohmann/json.hpp>

using namespace earwright;

int main(int argc, char** argv)
{
    const Result<std::string> text = readFile(argc == 2 ? argv[1] : "");
    if (!text) {
        std::cerr << text.error().message << "\n";
        return 1;
    }
    for (const auto& set : nlohmann::json::parse(*text)) {
        std::vector<score::TextPair> pairs;
        for (const auto& pair : set)
            pairs.push_back({ "", pair[0], pair[1] });
        const score::ErrorRate sum
            = score::summarise(score::scoreTexts(pairs, score::WordSplit::WhiteSpace).byWord);
        std::cout << sum.insertions + sum.deletions + sum.substitutions << ' ' << sum.tokens << ' '
                  << sum.percent() << '\n';
    }
}
