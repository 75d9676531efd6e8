#include "tests/model/parity/runners.h"

#include "core/model/layer_set.h"
#include "core/model/transformer/hyper_mixing.h"
#include "core/model/transformer/transformer_asr.h"

#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace earwright::tests {

namespace {

constexpr const char* kTransformer
    = "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR";
constexpr const char* kMixing = "speechbrain.nnet.hypermixing.HyperMixing";
constexpr const char* kWrapper
    = "speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper";

std::shared_ptr<model::Layer> build(const recipe::Node& node, const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    std::shared_ptr<model::Layer> layer = model::LayerSet(diagnostics).get(node);
    if (!layer)
        throw std::runtime_error(diagnostics.front().message);
    loadState(*layer, test);
    layer->train(test.json.at("mode").get<std::string>() == "train");
    return layer;
}

torch::Tensor source(const Case& test)
{
    return test.tensor("in.src").clone().set_requires_grad(true);
}

torch::Tensor lengths(const Case& test)
{
    return test.has("in.wav_len") ? test.tensor("in.wav_len") : torch::Tensor();
}

/// One pass over the first tokens, as a beam search makes it.
void compareDecoding(model::TransformerAsr& transformer, const Case& test, Comparison& compare)
{
    const Tolerance tolerance = test.tolerance("out");
    const torch::Tensor prefix = test.tensor("in.tgt").slice(1, 0, 4);
    const torch::Tensor& encoded = test.tensor("out.encode");
    const auto decoded = transformer.decode(prefix, encoded, test.tensor("in.enc_len"));
    compare.tensors("out.decode", decoded.decoder_BUD, test.tensor("out.decode"), tolerance);
    compare.tensors(
        "out.decode_attn", decoded.weights_BUT, test.tensor("out.decode_attn"), tolerance);
    // The same token by token, as the searches run it.
    auto search = transformer.startSearch(encoded, test.tensor("in.enc_len"));
    search.layers.back().keepsWeights = true;
    std::vector<torch::Tensor> steps;
    std::vector<torch::Tensor> weights;
    for (int64_t u = 0; u < prefix.size(1); ++u) {
        steps.push_back(transformer.searchStep(prefix.select(1, u), search));
        weights.push_back(search.layers.back().weights_NS);
    }
    compare.tensors(
        "out.decode in steps", torch::stack(steps, 1), test.tensor("out.decode"), tolerance);
    compare.tensors("out.decode_attn in steps", torch::stack(weights, 1),
        test.tensor("out.decode_attn"), tolerance);
    const auto unmasked = transformer.decode(prefix, encoded, {});
    compare.tensors(
        "out.decode_noenclen", unmasked.decoder_BUD, test.tensor("out.decode_noenclen"), tolerance);
}

/// A part by upstream's name.
template <class Module>
Module& partOf(const torch::nn::Module& transformer, const std::string& name)
{
    auto* part = transformer.named_modules()[name]->as<Module>();
    if (part == nullptr)
        throw std::runtime_error("'" + name + "' is something else");
    return *part;
}

struct Positions {
    torch::Tensor added; ///< to what the encoder is given
    torch::Tensor distances_TD; ///< for relative attention
};

/// Upstream's relative table has a row for each distance from the last frame back to the first and
/// on again; Earwright's one for each distance.
Positions comparePositions(
    const torch::nn::Module& transformer, const Case& test, int64_t frames, Comparison& compare)
{
    const std::string name = "out.mid.positional_encoding";
    if (!test.has(name))
        return {};
    const auto part = transformer.named_modules()["positional_encoding"];
    if (auto* relative = part->as<model::RelativePositions>()) {
        const torch::Tensor table_TD = relative->forward(frames);
        const torch::Tensor rows = torch::arange(1 - frames, frames, parityDevice()).abs();
        compare.tensors(name, table_TD.index_select(0, rows).unsqueeze(0), test.tensor(name),
            test.tolerance("out"));
        return { {}, table_TD };
    }
    // The encoder's and the decoder's is one, and upstream's last was of the decoder's tokens.
    const auto& table = partOf<model::PositionalEncoding>(transformer, "positional_encoding");
    compare.tensors(
        name, table.forward(test.tensor(name).size(1)), test.tensor(name), test.tolerance("out"));
    return { table.forward(frames), {} };
}

/// Each stage of the encoder by itself, given what upstream's stage before it gave: they tell which
/// part differs.
void compareStages(model::TransformerAsr& transformer, const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const Tolerance tolerance = test.tolerance("out");
    const torch::Tensor src = test.tensor("in.src").flatten(2);
    const int64_t frames = src.size(1);
    const torch::Tensor& given = test.tensor("out.mid.custom_src_module");
    auto& linear = partOf<torch::nn::LinearImpl>(transformer, "custom_src_module.layers.0.w");
    compare.tensors("out.mid.custom_src_module", linear.forward(src), given, tolerance);
    const Positions positions = comparePositions(transformer, test, frames, compare);
    model::AttentionMask mask { model::keyPadding(lengths(test), frames), {} };
    if (test.json.at("constructor").at("causal").get<bool>())
        mask.pairs_TS = model::lookAhead(frames, parityDevice());
    torch::Tensor x = positions.added.defined() ? given + positions.added : given;
    for (int layer = 0; test.has("out.mid.encoder.layers." + std::to_string(layer)); ++layer) {
        const std::string name = "encoder.layers." + std::to_string(layer);
        auto& part = partOf<model::EncoderLayer>(transformer, name);
        const torch::Tensor& expected = test.tensor("out.mid." + name);
        compare.tensors(
            "out.mid." + name, part.forward(x, mask, positions.distances_TD), expected, tolerance);
        x = expected;
    }
}

/// Where upstream is asked for the states of all layers: the input of the first, then what each
/// gives. Earwright's encoder gives its last alone, so its layers are run one by one.
void compareHiddenStates(model::TransformerAsr& transformer, const Case& test, Comparison& compare)
{
    if (!test.has("out.mid.hidden.0"))
        return;
    const torch::NoGradGuard noGrad;
    const Tolerance tolerance = test.tolerance("out");
    const torch::Tensor& src = test.tensor("in.src");
    const int64_t frames = src.size(1);
    const model::AttentionMask mask { model::keyPadding(lengths(test), frames), {} };
    const torch::Tensor distances_TD
        = partOf<model::RelativePositions>(transformer, "positional_encoding").forward(frames);
    torch::Tensor x
        = partOf<torch::nn::LinearImpl>(transformer, "custom_src_module.layers.0.w").forward(src);
    compare.tensors("out.mid.hidden.0", x, test.tensor("out.mid.hidden.0"), tolerance);
    const auto nameOf = [](int layer) { return "out.mid.hidden." + std::to_string(layer); };
    for (int layer = 0; test.has(nameOf(layer + 1)); ++layer) {
        const std::string part = "encoder.layers." + std::to_string(layer);
        x = partOf<model::EncoderLayer>(transformer, part).forward(x, mask, distances_TD);
        const torch::Tensor& expected = test.tensor(nameOf(layer + 1));
        compare.tensors(nameOf(layer + 1), x, expected, tolerance);
        x = expected;
    }
}

/// "model.encode(src, wav_len)" by itself.
void runEncoderAlone(const Case& test, Comparison& compare)
{
    Json arguments = test.json.at("constructor");
    arguments.erase("output_hidden_states");
    const auto layer = std::dynamic_pointer_cast<model::TransformerAsr>(
        build(*constructorNode(kTransformer, arguments), test));
    compareHiddenStates(*layer, test, compare);
    const torch::Tensor src = source(test);
    compareCall(test, { { "y", layer->encode(src, lengths(test)) } }, layer.get(),
        { { "src", src } }, compare);
}

/// Upstream lists a tied network under both names, Earwright under the first.
Case withoutTiedNames(Case test)
{
    for (const auto& [name, value] : test.under("buffer.hyper.w2_gen")) {
        TORCH_CHECK(value.equal(test.tensor("param.hyper.w1_gen." + name)), name, " is not tied");
        test.tensors.erase("buffer.hyper.w2_gen." + name);
    }
    return test;
}

void runMixing(const Case& stored, Comparison& compare)
{
    const Case test = withoutTiedNames(stored);
    const Json& arguments = test.json.at("constructor");
    const auto number = [&](const char* key) { return arguments.at(key).get<int64_t>(); };
    model::HyperMixing layer(model::MixingSize { .width = number("input_output_dim"),
        .hidden = number("hypernet_size"),
        .heads = number("num_heads"),
        .isTied = arguments.at("tied").get<bool>(),
        .hasWholeHidden = arguments.at("fix_tm_hidden_size").get<bool>(),
        .maxLength = number("max_length") });
    loadState(layer, test);
    const torch::Tensor x = test.tensor("in.x").clone().set_requires_grad(true);
    model::AttentionMask mask;
    if (test.has("in.lens"))
        mask.keys_BS = model::keyPaddingOfCounts(test.tensor("in.lens"), x.size(1));
    compareCall(test, { { "y", layer.forward(x, mask) } }, &layer, { { "x", x } }, compare);
}

void runTransformer(const Case& test, Comparison& compare)
{
    if (!test.has("in.tgt")) {
        runEncoderAlone(test, compare);
        return;
    }
    const recipe::NodePtr node = constructorNode(kTransformer, test.json.at("constructor"));
    const auto layer = std::dynamic_pointer_cast<model::TransformerAsr>(build(*node, test));
    const torch::Tensor src = source(test);
    compareDecoding(*layer, test, compare);
    compareStages(*layer, test, compare);
    compare.tensors("out.encode", layer->encode(src, lengths(test)), test.tensor("out.encode"),
        test.tolerance("out"));
    const auto outputs = layer->transduce(src, test.tensor("in.tgt"), lengths(test));
    compareCall(test, { { "enc_out", outputs.encoder_BTD }, { "dec_out", outputs.decoder_BUD } },
        layer.get(), { { "src", src } }, compare);
}

void runWrapper(const Case& test, Comparison& compare)
{
    const recipe::NodePtr node = constructorNode(kWrapper, Json::object());
    node->entries.push_back({ recipe::makeScalar("transformer"),
        constructorNode(kTransformer, test.json.at("constructor")) });
    const auto layer = build(*node, test);
    compareStages(partOf<model::TransformerAsr>(*layer, "transformer"), test, compare);
    const torch::Tensor src = source(test);
    compareCall(test, { { "encode", layer->forward(src, lengths(test)) } }, layer.get(),
        { { "src", src } }, compare);
}

} // namespace

Runners transformerRunners()
{
    return { { kTransformer, runTransformer }, { kMixing, runMixing },
        { std::string(kWrapper) + "(TransformerASR)", runWrapper } };
}

} // namespace earwright::tests
