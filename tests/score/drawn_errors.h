#pragma once

#include "core/score/error_rate.h"

#include <random>
#include <string>
#include <vector>

namespace earwright::tests {

/// An utterance of so many tokens, of which `wrong` are wrong.
inline score::Scored utteranceWith(int tokens, int wrong)
{
    std::vector<std::string> reference;
    std::vector<std::string> hypothesis;
    for (int i = 0; i < tokens; ++i) {
        reference.push_back("w" + std::to_string(i));
        hypothesis.push_back(i < wrong ? "x" : reference.back());
    }
    return score::score("", reference, hypothesis);
}

/// What two recognisers made of the same utterances of 5 to 19 tokens. Both err at the same tenth
/// of the tokens, each at 8 % more by itself, the second at `extra` besides.
struct DrawnPair {
    std::vector<score::Scored> first;
    std::vector<score::Scored> second;
};
inline DrawnPair drawnPair(int count, unsigned seed, double extra)
{
    std::mt19937_64 random(seed);
    const auto happens = [&random](double probability) {
        return static_cast<double>(random() >> 11) * 0x1p-53 < probability;
    };
    DrawnPair pair;
    for (int i = 0; i < count; ++i) {
        const int tokens = 5 + static_cast<int>(random() % 15);
        int wrong[2] = {};
        for (int token = 0; token < tokens; ++token) {
            const bool isHard = happens(0.1);
            wrong[0] += happens(0.08) || isHard ? 1 : 0;
            wrong[1] += happens(0.08 + extra) || isHard ? 1 : 0;
        }
        pair.first.push_back(utteranceWith(tokens, wrong[0]));
        pair.second.push_back(utteranceWith(tokens, wrong[1]));
    }
    return pair;
}

} // namespace earwright::tests
