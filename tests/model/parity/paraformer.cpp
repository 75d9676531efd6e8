#include "tests/model/parity/last_fire.h"
#include "tests/model/parity/runners.h"

#include "core/catalog/read.h"
#include "core/model/label_loss.h"
#include "core/model/paraformer/cif_predictor.h"
#include "core/model/paraformer/sanm_decoder.h"
#include "core/model/paraformer/sanm_encoder.h"
#include "core/model/transformer/masks.h"

#include <torch/utils.h>

namespace earwright::tests {

namespace {

torch::Tensor input(const Case& test, const std::string& name)
{
    return test.tensor("in." + name).clone().set_requires_grad(true);
}

torch::Tensor valid(const Case& test, const std::string& counts, const torch::Tensor& x)
{
    return model::keyPaddingOfCounts(test.tensor("in." + counts), x.size(1)).logical_not();
}

template <class Config>
Config configOf(const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const auto config = catalog::readConfig<Config>(
        *constructorNode(test.json.at("upstream").get<std::string>(), test.json.at("constructor")),
        diagnostics);
    if (!diagnostics.empty())
        throw std::runtime_error(diagnostics.front().message);
    return config;
}

/// With upstream's state, in the mode of the case.
template <class Module>
std::shared_ptr<Module> ready(std::shared_ptr<Module> module, const Case& test)
{
    loadState(*module, test);
    module->train(test.json.at("mode") == "train");
    return module;
}

model::SanmSize sizeOf(const Case& test)
{
    const Json& arguments = test.json.at("constructor");
    const int64_t width = arguments.at("n_feat").get<int64_t>();
    return { arguments.value("in_feat", width), width, arguments.value("n_head", int64_t { 1 }),
        arguments.value("kernel_size", int64_t { 1 }), arguments.value("sanm_shfit", int64_t { 0 }),
        arguments.at("dropout_rate").get<double>() };
}

void runAttention(const Case& test, Comparison& compare)
{
    const auto attention = ready(std::make_shared<model::SanmAttention>(sizeOf(test)), test);
    const torch::Tensor x = input(test, "x");
    compareCall(test, { { "y", attention->forward(x, valid(test, "lens", x)) } }, attention.get(),
        { { "x", x } }, compare);
}

void runMemory(const Case& test, Comparison& compare)
{
    const auto memory = ready(std::make_shared<model::FsmnMemory>(sizeOf(test)), test);
    const torch::Tensor x = input(test, "x");
    compareCall(test, { { "y", memory->remember(x, valid(test, "lens", x)) } }, memory.get(),
        { { "x", x } }, compare);
}

void runCrossAttention(const Case& test, Comparison& compare)
{
    const auto attention = ready(std::make_shared<model::CrossAttention>(sizeOf(test)), test);
    const torch::Tensor x = input(test, "x");
    const torch::Tensor memory = input(test, "memory");
    const auto seen = attention->forward(x, memory, valid(test, "lens", memory));
    compareCall(test, { { "y", seen.y_BUD } }, attention.get(),
        { { "x", x }, { "memory", memory } }, compare);
}

void runFeedForward(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    const auto layer
        = ready(std::make_shared<model::DecoderFeedForward>(arguments.at("idim").get<int64_t>(),
                    arguments.at("hidden_units").get<int64_t>(),
                    arguments.at("dropout_rate").get<double>()),
            test);
    const torch::Tensor x = input(test, "x");
    compareCall(test, { { "y", layer->forward(x) } }, layer.get(), { { "x", x } }, compare);
}

torch::Tensor counts(const torch::Tensor& valid_BT)
{
    return valid_BT.sum(-1);
}

/// The positions, and the first layer given what upstream's was.
void compareStages(model::SanmEncoder& encoder, const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor& x = test.tensor("in.x");
    const double scale = std::sqrt(test.json.at("constructor").at("output_size").get<double>());
    const torch::Tensor& embedded = test.tensor("out.mid.embed");
    compare.tensors("out.mid.embed",
        x * scale + model::sinusoids(x.size(1), x.size(2), x.options()), embedded,
        test.tolerance("out"));
    auto* first = encoder.named_modules()["encoders0.0"]->as<model::SanmEncoderLayer>();
    compare.tensors("out.mid.encoders0", first->forward(embedded, valid(test, "lens", x)),
        test.tensor("out.mid.encoders0"), test.tolerance("out"));
}

void runEncoder(const Case& test, Comparison& compare)
{
    const auto encoder = ready(
        std::make_shared<model::SanmEncoder>(configOf<catalog::SanmEncoderConfig>(test)), test);
    compareStages(*encoder, test, compare);
    const torch::Tensor x = input(test, "x");
    const torch::Tensor lengths = test.tensor("in.lens").to(torch::kFloat) / x.size(1);
    compare.tensors(
        "out.olens", counts(model::validFrames(lengths, x)), test.tensor("out.olens"), {});
    compareCall(
        test, { { "y", encoder->forward(x, lengths) } }, encoder.get(), { { "x", x } }, compare);
}

void runDecoder(const Case& test, Comparison& compare)
{
    const auto decoder = ready(std::make_shared<model::ParaformerDecoder>(
                                   configOf<catalog::ParaformerDecoderConfig>(test)),
        test);
    const torch::Tensor hs = input(test, "hs");
    const torch::Tensor ys = input(test, "ys");
    const torch::Tensor isToken = valid(test, "ylens", ys);
    compare.tensors("out.olens", counts(isToken).unsqueeze(1), test.tensor("out.olens"), {});
    const model::Encoded encoded { hs, valid(test, "hlens", hs) };
    if (test.has("out.asf6"))
        compare.tensors("out.asf6", decoder->attention(ys, isToken, encoded, 6),
            test.tensor("out.asf6"), test.tolerance("out"));
    const bool isHidden
        = test.json.at("call").get<std::string>().find("return_hidden") != std::string::npos;
    const torch::Tensor hidden = decoder->hidden(ys, isToken, encoded);
    compareCall(test, { { "y", isHidden ? hidden : decoder->scores(hidden) } }, decoder.get(),
        { { "hs", hs }, { "ys", ys } }, compare);
}

/// A decoding case is one without targets: it adds a tail.
std::optional<model::TokenTargets> targetsOf(const Case& test)
{
    const std::string call = test.json.at("call").get<std::string>();
    if (call.find("tail") != std::string::npos)
        return {};
    return model::TokenTargets { (test.tensor("in.target_label") != -1).sum(-1), {} };
}

void comparePrediction(const Case& test, model::CifPredictor& predictor, Comparison& compare)
{
    const torch::Tensor hidden = input(test, "hidden");
    const torch::Tensor valid_BT = valid(test, "lens", hidden);
    const std::optional<model::TokenTargets> targets = targetsOf(test);
    if (targets)
        settleFires(
            test, predictor.named_parameters()["cif_output.bias"],
            [&] { return predictor.predict(hidden, valid_BT, targets).peaks_BT; }, compare);
    const model::CifPrediction got = predictor.predict(hidden, valid_BT, targets);
    compare.tensors(
        "out.cif_peak", got.peaks_BT, test.tensor("out.cif_peak"), test.tolerance("out"));
    compare.tensors(
        "out.fired_per_row", firesOf(got.peaks_BT), test.tensor("out.fired_per_row"), {});
    std::map<std::string, torch::Tensor> outputs { { "acoustic_embeds", got.embeds_BUD },
        { "token_num", got.tokens_B }, { "alphas", got.alphas_BT } };
    if (got.tokens2_B.defined())
        outputs["token_num2"] = got.tokens2_B;
    compareCall(test, outputs, &predictor, { { "hidden", hidden } }, compare);
}

template <class Config>
void runPredictor(const Case& test, Comparison& compare, model::CifVersion version)
{
    const auto predictor
        = ready(std::make_shared<model::CifPredictor>(configOf<Config>(test), version), test);
    comparePrediction(test, *predictor, compare);
}

void compareTimes(const Case& test, model::CifPredictorV3& predictor, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor& hidden = test.tensor("in.hidden");
    const model::TokenTimes times
        = predictor.times(hidden, valid(test, "lens", hidden), test.tensor("out.token_num"));
    const std::map<std::string, torch::Tensor> got { { "ds_alphas", times.alphas_BT },
        { "ds_cif_peak", times.peaks_BT }, { "us_alphas", times.fineAlphas_BT },
        { "us_cif_peak", times.finePeaks_BT } };
    for (const auto& [name, tensor] : got)
        compare.tensors(
            "out.ts_" + name, tensor, test.tensor("out.ts_" + name), test.tolerance("out"));
}

void runPredictorV3(const Case& test, Comparison& compare)
{
    const auto predictor = ready(
        std::make_shared<model::CifPredictorV3>(configOf<catalog::CifPredictorV3Config>(test)),
        test);
    if (test.has("out.ts_ds_alphas"))
        compareTimes(test, *predictor, compare);
    comparePrediction(test, *predictor, compare);
}

template <class Function>
void compareFrames(const Case& test, Comparison& compare, const Function& function)
{
    const torch::Tensor hidden = input(test, "hidden");
    const torch::Tensor alphas = input(test, "alphas");
    const model::CifFrames frames = function(hidden, alphas);
    compare.tensors("out.peak", frames.peaks_BT, test.tensor("out.peak"), test.tolerance("out"));
    compareCall(test, { { "embeds", frames.embeds_BUD } }, nullptr,
        { { "hidden", hidden }, { "alphas", alphas } }, compare);
}

void runCif(const Case& test, Comparison& compare)
{
    const double threshold = test.json.at("constructor").at("threshold").get<double>();
    compareFrames(test, compare, [&](const auto& hidden, const auto& alphas) {
        return model::cif(hidden, alphas, threshold);
    });
}

void runCifFromSums(const Case& test, Comparison& compare)
{
    compareFrames(test, compare,
        [](const auto& hidden, const auto& alphas) { return model::cifFromSums(hidden, alphas); });
}

void runLabelSmoothing(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    const torch::Tensor x = input(test, "x");
    const torch::Tensor loss = model::labelSmoothingLoss(x, test.tensor("in.target"),
        { arguments.at("smoothing").get<double>(), arguments.at("padding_idx").get<int64_t>() },
        arguments.at("normalize_length").get<bool>());
    compareCall(test, { { "loss", loss } }, nullptr, { { "x", x } }, compare);
}

} // namespace

Runners paraformerRunners()
{
    const std::string predictors = "funasr.models.paraformer.cif_predictor.";
    return { { "funasr.models.sanm.attention.MultiHeadedAttentionSANM", runAttention },
        { "funasr.models.sanm.attention.MultiHeadedAttentionSANMDecoder", runMemory },
        { "funasr.models.sanm.attention.MultiHeadedAttentionCrossAtt", runCrossAttention },
        { "funasr.models.sanm.positionwise_feed_forward.PositionwiseFeedForwardDecoderSANM",
            runFeedForward },
        { "funasr.models.sanm.encoder.SANMEncoder", runEncoder },
        { "funasr.models.paraformer.decoder.ParaformerSANMDecoder", runDecoder },
        { predictors + "CifPredictor",
            [](auto& test, auto& compare) {
                runPredictor<catalog::CifPredictorConfig>(test, compare, model::CifVersion::V1);
            } },
        { predictors + "CifPredictorV2",
            [](auto& test, auto& compare) {
                runPredictor<catalog::CifPredictorV2Config>(test, compare, model::CifVersion::V2);
            } },
        { "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3", runPredictorV3 },
        { predictors + "cif", runCif }, { predictors + "cif_v1", runCifFromSums },
        { "funasr.losses.label_smoothing_loss.LabelSmoothingLoss", runLabelSmoothing } };
}

} // namespace earwright::tests
