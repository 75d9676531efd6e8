// Times one component of Kymo on one thread: run by tests/bench/components.py.
//   component_bench features|waves|spectra|layer RECIPE KEY ROWS EXTENT WIDTH PASSES
//   component_bench speed PERCENT ROWS SAMPLES PASSES
//   component_bench loader|later MANIFEST DATA_ROOT ROWS PASSES
// An input is [ROWS, EXTENT, WIDTH], or [ROWS, EXTENT] with WIDTH 0. A layer goes forward and
// backward, the rest forward. Prints the seconds of CPU of one pass, after one that does not count.

#include "core/base/file.h"
#include "core/base/keep_memory.h"
#include "core/data/loader.h"
#include "core/data/resample.h"
#include "core/data/speed.h"
#include "core/model/augment/augmentation.h"
#include "core/model/layer.h"
#include "core/recipe/resolve.h"

#include <cstdio>
#include <ctime>
#include <functional>
#include <stdexcept>

using namespace kymo;

namespace {

template <class T>
T orThrow(Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

struct Words {
    std::vector<std::string> all;
    const std::string& text(size_t place) const { return all.at(place); }
    int64_t number(size_t place) const { return std::stoll(all.at(place)); }
};

struct Timed {
    std::function<void()> pass;
    int64_t passes = 1;
};

recipe::NodePtr nodeOf(const Words& words)
{
    const recipe::Resolved resolved
        = recipe::resolve(orThrow(readFile(words.text(1))), words.text(1), {});
    const recipe::NodePtr node
        = resolved.root ? recipe::find(*resolved.root, words.text(2)) : nullptr;
    if (!node)
        throw std::runtime_error("the recipe has no " + words.text(2));
    return node;
}

torch::Tensor inputOf(const Words& words)
{
    torch::manual_seed(1);
    std::vector<int64_t> shape { words.number(3), words.number(4) };
    if (words.number(5) > 0)
        shape.push_back(words.number(5));
    return torch::randn(shape) * 0.1;
}

Timed layer(const Words& words, bool isTrained)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const recipe::NodePtr node = nodeOf(words);
    const auto made = model::makeLayer(*node, diagnostics);
    if (!made)
        throw std::runtime_error(diagnostics.at(0).message);
    made->train(true);
    const torch::Tensor x = inputOf(words);
    // Upstream's recipes pass lengths to these encoders alone; a recurrent layer would pack its
    // rows.
    const bool takesLengths = recipe::newClass(*node).ends_with("EncoderWrapper");
    const torch::Tensor lengths_B = takesLengths ? torch::ones({ x.size(0) }) : torch::Tensor();
    return { [=] {
                const torch::AutoGradMode grad(isTrained);
                made->zero_grad();
                const torch::Tensor y = made->forward(x, lengths_B);
                if (isTrained)
                    y.sum().backward();
            },
        words.number(6) };
}

Timed augmentation(const Words& words, model::Domain domain)
{
    const std::shared_ptr<model::Augmentation> made
        = orThrow(model::makeAugmentation(*nodeOf(words), domain));
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

/// Batches of a manifest in its order, read and padded, without threads: of the first epoch, or with
/// the decoded audio that a training keeps for the later ones.
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

Timed timedOf(const Words& words)
{
    const std::string& kind = words.text(0);
    if (kind == "features")
        return layer(words, false);
    if (kind == "layer")
        return layer(words, true);
    if (kind == "waves" || kind == "spectra")
        return augmentation(
            words, kind == "waves" ? model::Domain::Waves : model::Domain::Features);
    if (kind == "speed")
        return speed(words);
    if (kind == "loader" || kind == "later")
        return loader(words, kind == "later");
    throw std::runtime_error("no such kind: " + kind);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        keepFreedMemory(); // as the program does
        torch::set_num_threads(1);
        const Timed timed = timedOf({ { argv + 1, argv + argc } });
        timed.pass();
        const std::clock_t begin = std::clock();
        for (int64_t i = 0; i < timed.passes; ++i)
            timed.pass();
        std::printf("%.6f\n",
            static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC
                / static_cast<double>(timed.passes));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
