// Times a part of a Paraformer on one thread: run by tests/bench/paraformer_components.py.
//   paraformer_bench RECIPE KEY ROWS EXTENT WIDTH TOKENS PASSES
// KEY frontend: forward, of EXTENT samples. specaug: forward, of EXTENT frames. encoder, predictor,
// predictor_v3, decoder: forward and backward as training calls them, of EXTENT frames of WIDTH; a
// row has TOKENS tokens. paraformer, seaco_paraformer: from EXTENT samples to tokens; TOKENS is the
// number of hotwords.

#include "core/model/paraformer/seaco.h"
#include "core/model/paraformer/spec_aug_lfr.h"
#include "core/model/paraformer/wav_frontend.h"
#include "tests/bench/timed.h"

#include <torch/utils.h>

using namespace earwright;
using bench::Timed;
using bench::Words;

namespace {

constexpr int64_t kHotwordLength = 3; ///< tokens

struct Size {
    int64_t rows;
    int64_t extent;
    int64_t width;
    int64_t tokens;
};

using Output = std::function<torch::Tensor()>;

template <class LayerType>
std::shared_ptr<LayerType> part(const recipe::NodePtr& recipe, const std::string& key)
{
    const auto made
        = std::dynamic_pointer_cast<LayerType>(bench::layerOf(*bench::nodeOf(recipe, key)));
    if (!made)
        throw std::runtime_error(key + " is of another class");
    return made;
}

torch::Tensor allOf(int64_t rows, int64_t columns)
{
    return torch::ones({ rows, columns }, torch::kBool);
}

/// Of another layer, which wants its gradient.
torch::Tensor hidden(int64_t rows, int64_t extent, int64_t width)
{
    return torch::randn({ rows, extent, width }).set_requires_grad(true);
}

Output frontendPass(const recipe::NodePtr& recipe, const Size& size)
{
    const auto frontend = part<model::WavFrontend>(recipe, "frontend");
    return [=, x = torch::randn({ size.rows, size.extent }) * 0.1] {
        const torch::NoGradGuard noGrad;
        return frontend->forward(x);
    };
}

Output specAugPass(const recipe::NodePtr& recipe, const Size& size)
{
    const auto specAug = part<model::SpecAugLfr>(recipe, "specaug");
    specAug->train();
    return [=, x = torch::randn({ size.rows, size.extent, size.width }),
               lengths = torch::ones({ size.rows })] {
        const torch::NoGradGuard noGrad;
        return specAug->forward(x, lengths);
    };
}

Output encoderPass(const recipe::NodePtr& recipe, const Size& size)
{
    const auto encoder = part<model::SanmEncoder>(recipe, "encoder");
    return [=, x = torch::randn({ size.rows, size.extent, size.width }) * 0.1,
               valid = allOf(size.rows, size.extent)] {
        encoder->zero_grad();
        return encoder->encode(x, valid);
    };
}

Output predictorPass(const recipe::NodePtr& recipe, const std::string& key, const Size& size)
{
    const auto predictor = part<model::CifPredictor>(recipe, key);
    return
        [=, x = hidden(size.rows, size.extent, size.width), valid = allOf(size.rows, size.extent),
            targets
            = model::TokenTargets { torch::full({ size.rows }, size.tokens), size.tokens }] {
            predictor->zero_grad();
            return predictor->predict(x, valid, targets).embeds_BUD;
        };
}

Output decoderPass(const recipe::NodePtr& recipe, const Size& size)
{
    const auto decoder = part<model::ParaformerDecoder>(recipe, "decoder");
    return [=, tokens = hidden(size.rows, size.tokens, size.width),
               valid = allOf(size.rows, size.tokens),
               encoded = model::Encoded {
                   hidden(size.rows, size.extent, size.width), allOf(size.rows, size.extent) }] {
        decoder->zero_grad();
        return decoder->scores(decoder->hidden(tokens, valid, encoded));
    };
}

model::Paraformer recogniserOf(const recipe::NodePtr& recipe)
{
    model::ParaformerLayers layers { part<model::SanmEncoder>(recipe, "encoder"),
        part<model::CifPredictor>(recipe, "predictor"),
        part<model::ParaformerDecoder>(recipe, "decoder") };
    layers.encoder->eval();
    layers.predictor->eval();
    layers.decoder->eval();
    // As many tokens as in FunASR: every frame has the same weight.
    const torch::NoGradGuard noGrad;
    for (const char* name : { "cif_output.weight", "cif_output.bias" })
        layers.predictor->named_parameters()[name].zero_();
    return { std::move(layers), {} };
}

model::Seaco seacoOf(const recipe::NodePtr& recipe)
{
    model::SeacoLayers layers { part<model::TorchLstm>(recipe, "bias_encoder"),
        part<model::TorchLinear>(recipe, "lstm_proj"),
        part<model::ParaformerDecoder>(recipe, "seaco_decoder"),
        part<model::TorchLinear>(recipe, "hotword_output_layer") };
    layers.biasEncoder->eval();
    layers.decoder->eval();
    catalog::SeacoConfig config;
    config.seacoId = *recipe::asInt(*bench::nodeOf(recipe, "seaco_id"));
    return { std::move(layers), config };
}

/// So many hotwords of the tokens from 3 on, and none.
model::Hotwords hotwords(int64_t count, int64_t sos)
{
    std::vector<std::vector<int64_t>> words;
    for (int64_t first = 3; std::ssize(words) < count; first += kHotwordLength)
        words.push_back({ first, first + 1, first + 2 });
    words.push_back({ sos });
    return model::hotwordsOf(words, torch::kCPU);
}

Timed recognition(const recipe::NodePtr& recipe, const Size& size, int64_t passes, bool isSeaco)
{
    const auto frontend = part<model::WavFrontend>(recipe, "frontend");
    frontend->eval();
    const auto recogniser = std::make_shared<model::Paraformer>(recogniserOf(recipe));
    const auto seaco = isSeaco ? std::make_shared<model::Seaco>(seacoOf(recipe)) : nullptr;
    const model::Hotwords listed = hotwords(size.tokens, recogniser->config().sos);
    const torch::Tensor waves = torch::randn({ size.rows, size.extent }) * 0.1;
    return { [=] {
                const torch::NoGradGuard noGrad;
                const torch::Tensor features = frontend->forward(waves);
                const model::ParaformerDecoded decoded = recogniser->decode(
                    recogniser->encode(features, allOf(size.rows, features.size(1))));
                recogniser->texts(seaco
                        ? seaco->decode(decoded, seaco->represent(*recogniser, listed))
                        : decoded.logProbs_BUV,
                    decoded.counts_B);
            },
        passes };
}

Timed timedOf(const Words& words)
{
    torch::manual_seed(1);
    const recipe::NodePtr recipe = bench::recipeOf(words.text(0));
    const std::string& key = words.text(1);
    const Size size { words.number(2), words.number(3), words.number(4), words.number(5) };
    const int64_t passes = words.number(6);
    if (key.ends_with("paraformer"))
        return recognition(recipe, size, passes, key.starts_with("seaco"));
    if (key == "frontend")
        return { frontendPass(recipe, size), passes };
    if (key == "specaug")
        return { specAugPass(recipe, size), passes };
    const Output output = key == "encoder" ? encoderPass(recipe, size)
        : key == "decoder"                 ? decoderPass(recipe, size)
                                           : predictorPass(recipe, key, size);
    return { [=] { output().sum().backward(); }, passes };
}

} // namespace

int main(int argc, char** argv)
{
    return bench::run(argc, argv, timedOf);
}
