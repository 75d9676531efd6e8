// Times one component of Earwright on one thread: run by tests/bench/components.py.
//   component_bench features|forward|waves|spectra|layer RECIPE KEY ROWS EXTENT WIDTH PASSES
//   component_bench speed PERCENT ROWS SAMPLES PASSES
//   component_bench loader|later MANIFEST DATA_ROOT ROWS PASSES
//   component_bench greedy ROWS FRAMES VOCABULARY PASSES
//   component_bench transduce RECIPE KEY ROWS EXTENT WIDTH PASSES
//   component_bench mel|steps RECIPE KEY ROWS EXTENT WIDTH PASSES
// An input is [ROWS, EXTENT, WIDTH], or [ROWS, EXTENT] with WIDTH 0. A layer goes forward and
// backward, and so does a transformer that transduces EXTENT frames into a fifth as many tokens,
// and the encoder of a Whisper on mel frames, [ROWS, WIDTH, EXTENT]; the rest forward, a Whisper's
// decoder EXTENT tokens, one by one, on an encoder's 30 s of WIDTH. Prints the seconds of CPU of
// one pass, after one that does not count.

#include "core/data/loader.h"
#include "core/data/resample.h"
#include "core/data/speed.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/augment/augmentation.h"
#include "core/model/transformer/transformer_asr.h"
#include "core/model/whisper/whisper.h"
#include "tests/bench/timed.h"

#include <torch/utils.h>

using namespace earwright;
using bench::orThrow;
using bench::Timed;
using bench::Words;

namespace {

recipe::NodePtr nodeOf(const Words& words)
{
    return bench::nodeOf(bench::recipeOf(words.text(1)), words.text(2));
}

torch::Tensor inputOf(const Words& words)
{
    torch::manual_seed(1);
    std::vector<int64_t> shape { words.number(3), words.number(4) };
    if (words.number(5) > 0)
        shape.push_back(words.number(5));
    return torch::randn(shape) * 0.1;
}

/// Upstream's recipes pass lengths to these alone; a recurrent layer would pack its rows.
bool takesLengths(const recipe::Node& node)
{
    const std::string_view name = recipe::newClass(node);
    return name.ends_with("EncoderWrapper") || name.ends_with("InputNormalization");
}

Timed layer(const Words& words, bool isTrained)
{
    const recipe::NodePtr node = nodeOf(words);
    const auto made = bench::layerOf(*node);
    made->train(true);
    const torch::Tensor x = inputOf(words);
    const torch::Tensor lengths_B
        = takesLengths(*node) ? torch::ones({ x.size(0) }) : torch::Tensor();
    return { [=] {
                const torch::AutoGradMode grad(isTrained);
                made->zero_grad();
                const torch::Tensor y = made->forward(x, lengths_B);
                if (isTrained)
                    y.sum().backward();
            },
        words.number(6) };
}

Timed transduce(const Words& words)
{
    const auto made
        = std::dynamic_pointer_cast<model::TransformerAsr>(bench::layerOf(*nodeOf(words)));
    const torch::Tensor x = inputOf(words);
    const torch::Tensor tokens_BU
        = torch::randint(1, made->vocabulary(), { x.size(0), x.size(1) / 5 }, torch::kLong);
    return { [=] {
                made->zero_grad();
                const auto [encoder_BTD, decoder_BUD]
                    = made->transduce(x, tokens_BU, torch::ones({ x.size(0) }));
                (encoder_BTD.sum() + decoder_BUD.sum()).backward();
            },
        words.number(6) };
}

std::shared_ptr<model::Whisper> whisperOf(const Words& words)
{
    const auto made = std::dynamic_pointer_cast<model::Whisper>(bench::layerOf(*nodeOf(words)));
    if (!made)
        throw std::runtime_error(words.text(2) + " is no Whisper");
    return made;
}

Timed mel(const Words& words)
{
    const auto made = whisperOf(words);
    made->train(true);
    torch::manual_seed(1);
    const torch::Tensor mel_BMF
        = torch::randn({ words.number(3), words.number(5), words.number(4) });
    return { [=] {
                made->zero_grad();
                made->encode(mel_BMF).sum().backward();
            },
        words.number(6) };
}

/// What a search does for each token, without the choice of the next.
Timed steps(const Words& words)
{
    const auto made = whisperOf(words);
    made->eval();
    torch::manual_seed(1);
    const torch::Tensor encoder_BTD
        = torch::randn({ words.number(3), made->sizes().encoder.positions, words.number(5) });
    const torch::Tensor tokens_B1 = torch::ones({ words.number(3), 1 }, torch::kLong);
    return { [=, count = words.number(4)] {
                const torch::NoGradGuard noGrad;
                model::WhisperDecoder& decoder = made->model().decoder();
                model::WhisperSearch search = made->startSearch(encoder_BTD);
                for (int64_t i = 0; i < count; ++i)
                    decoder.logits(decoder.step(tokens_B1, search));
            },
        words.number(6) };
}

Timed augmentation(const Words& words)
{
    const std::shared_ptr<model::Augmentation> made
        = orThrow(model::makeAugmentation(*nodeOf(words)));
    const torch::Tensor x = inputOf(words);
    return { [=] {
                const torch::NoGradGuard noGrad;
                model::RandomSource random;
                made->apply(x, torch::ones({ x.size(0) }), random);
            },
        words.number(6) };
}

Timed speed(const Words& words)
{
    const data::Ratio ratio = data::speedRatio(std::stod(words.text(1)) / 100);
    const std::vector<float> wave(static_cast<size_t>(words.number(3)), 0.1F);
    return { [=, rows = words.number(2)] {
                for (int64_t row = 0; row < rows; ++row)
                    data::resample(wave, ratio);
            },
        words.number(4) };
}

/// Batches of a manifest in its order, read and padded, without threads: of the first epoch, or
/// with the decoded audio that a training keeps for the later ones.
Timed loader(const Words& words, bool isLater)
{
    const auto utterances = std::make_shared<const std::vector<data::Utterance>>(
        orThrow(data::readManifest(words.text(1), words.text(2))));
    std::vector<std::string> texts;
    std::vector<std::vector<int64_t>> batches;
    for (size_t i = 0; i < utterances->size(); ++i) {
        if (i % static_cast<size_t>(words.number(3)) == 0)
            batches.emplace_back();
        batches.back().push_back(static_cast<int64_t>(i));
        texts.push_back((*utterances)[i].text);
    }
    const auto encoder
        = std::make_shared<const data::TextEncoder>(data::TextEncoder::fromTexts(texts, 0));
    const auto cache = isLater ? std::make_shared<data::AudioCache>() : nullptr;
    return { [=] {
                data::Loader loader(
                    utterances, batches, encoder, { .numWorkers = 0, .cache = cache });
                while (orThrow(loader.next())) { }
            },
        words.number(4) };
}

Timed greedy(const Words& words)
{
    const int64_t rows = words.number(1);
    const torch::Tensor probs_BTV
        = torch::randn({ rows, words.number(2), words.number(3) }).log_softmax(-1);
    return { [=] { decode::ctcGreedy(probs_BTV, torch::ones({ rows }), 0); }, words.number(4) };
}

Timed timedOf(const Words& words)
{
    const std::string& kind = words.text(0);
    if (kind == "features" || kind == "forward")
        return layer(words, false);
    if (kind == "layer")
        return layer(words, true);
    if (kind == "transduce")
        return transduce(words);
    if (kind == "mel")
        return mel(words);
    if (kind == "steps")
        return steps(words);
    if (kind == "waves" || kind == "spectra")
        return augmentation(words);
    if (kind == "speed")
        return speed(words);
    if (kind == "greedy")
        return greedy(words);
    if (kind == "loader" || kind == "later")
        return loader(words, kind == "later");
    throw std::runtime_error("no such kind: " + kind);
}

} // namespace

int main(int argc, char** argv)
{
    return bench::run(argc, argv, timedOf);
}
