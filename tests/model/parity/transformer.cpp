#include "tests/model/parity/runners.h"

#include "core/model/transformer/transformer_asr.h"

namespace kymo::test {

namespace {

constexpr const char* kTransformer
    = "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR";
constexpr const char* kWrapper
    = "speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper";

std::shared_ptr<model::Layer> build(const recipe::Node& node, const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    std::shared_ptr<model::Layer> layer = model::makeLayer(node, diagnostics);
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
    std::vector<torch::Tensor> steps;
    for (int64_t u = 0; u < prefix.size(1); ++u)
        steps.push_back(transformer.searchStep(prefix.select(1, u), search));
    compare.tensors(
        "out.decode in steps", torch::stack(steps, 1), test.tensor("out.decode"), tolerance);
    const auto unmasked = transformer.decode(prefix, encoded, {});
    compare.tensors(
        "out.decode_noenclen", unmasked.decoder_BUD, test.tensor("out.decode_noenclen"), tolerance);
}

void runTransformer(const Case& test, Comparison& compare)
{
    const recipe::NodePtr node = constructorNode(kTransformer, test.json.at("constructor"));
    const auto layer = std::dynamic_pointer_cast<model::TransformerAsr>(build(*node, test));
    const torch::Tensor src = source(test);
    compareDecoding(*layer, test, compare);
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
    const torch::Tensor src = source(test);
    compareCall(test, { { "encode", layer->forward(src, lengths(test)) } }, layer.get(),
        { { "src", src } }, compare);
}

} // namespace

Runners transformerRunners()
{
    return { { kTransformer, runTransformer },
        { std::string(kWrapper) + "(TransformerASR)", runWrapper } };
}

} // namespace kymo::test
