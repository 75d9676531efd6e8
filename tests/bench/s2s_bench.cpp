// Times Earwright's attention searches: run by tests/bench/decoders.py, which runs upstream's with
// the same sizes. The weights are random: the numbers of steps and beams are fixed, the tokens are
// not compared. No beams: the greedy search. The last word, if there is one, is a scorer beside
// CTC: transformerlm, rnnlm or coverage. Prints the seconds of CPU of one batch.

#include "core/decode/language_model_scorer.h"
#include "core/decode/s2s_search.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/language/rnn_lm.h"
#include "core/model/language/transformer_lm.h"
#include "core/model/linear.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <torch/utils.h>

using namespace earwright;

constexpr int64_t kEos = 2;

/// As decoders.py builds upstream's.
static std::shared_ptr<model::LanguageModel> languageModel(
    const std::string& scorer, int64_t vocabulary)
{
    if (scorer == "transformerlm") {
        catalog::TransformerLmConfig config;
        config.vocab = vocabulary;
        config.dModel = 256;
        config.nhead = 4;
        config.numEncoderLayers = 6;
        config.dFfn = 1024;
        return std::make_shared<model::TransformerLm>(config);
    }
    catalog::RnnLmConfig config;
    config.outputNeurons = vocabulary;
    config.rnnNeurons = 512;
    return scorer == "rnnlm" ? std::make_shared<model::RnnLm>(config) : nullptr;
}

int main(int argc, char** argv)
{
    if (argc < 8)
        return 2;
    const auto number = [&](int place) { return std::atoll(argv[place]); };
    const int64_t rows = number(1), frames = number(2), width = number(3), vocabulary = number(4);
    torch::set_num_threads(1);
    torch::manual_seed(1);
    catalog::TransformerAsrConfig config;
    config.tgtVocab = vocabulary;
    config.inputSize = 8;
    config.dModel = width;
    config.nhead = 4;
    config.numEncoderLayers = 1;
    config.numDecoderLayers = number(5);
    config.dFfn = 4 * width;
    config.dropout = 0;
    config.normalizeBefore = true;
    config.causal = false;
    const auto transformer = std::make_shared<model::TransformerAsr>(config);
    transformer->eval();
    const auto ctc = model::makeLinear(width, vocabulary);
    const auto output = model::makeLinear(width, vocabulary);
    {
        const torch::NoGradGuard noGrad;
        for (const auto& parameter : output->named_parameters())
            if (parameter.key().ends_with("bias"))
                parameter.value()[kEos] = -1e4; // no greedy search ends early
    }
    decode::TransformerDecoder decoder(transformer, output);
    const double ratio = std::atof(argv[7]);
    decode::S2SBeamOptions options { { .bosIndex = 1,
                                         .eosIndex = kEos,
                                         .minDecodeRatio = number(6) > 0 ? ratio : 0,
                                         .maxDecodeRatio = ratio },
        number(6), 1, false, 1.5, true, 1.0, 0.0, 0.4, 0 };
    const std::string scorer = argc > 8 ? argv[8] : "";
    options.coverageWeight = scorer == "coverage" ? 0.5 : 0;
    std::vector<decode::WeightedScorer> others;
    if (const auto lm = languageModel(scorer, vocabulary)) {
        lm->eval();
        others.push_back({ std::make_shared<decode::LanguageModelScorer>(lm, 1.0), 0.6 });
    }
    const torch::Tensor encoder_BTD = torch::randn({ rows, frames, width });
    const torch::Tensor lengths_B = torch::ones({ rows });
    const std::clock_t begin = std::clock();
    if (options.beamSize == 0)
        decode::greedyS2S(decoder, options, encoder_BTD, lengths_B);
    else
        decode::beamS2S(decoder, options, encoder_BTD, lengths_B,
            { [&](const torch::Tensor& states_BTD) {
                 return ctc->forward(states_BTD, {}).log_softmax(-1);
             },
                others });
    std::printf("%.4f\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    return 0;
}
