#include "tests/model/parity/last_fire.h"
#include "tests/model/parity/runners.h"

#include "core/catalog/read.h"
#include "core/model/paraformer/seaco.h"
#include "core/model/transformer/masks.h"

#include <torch/utils.h>

namespace earwright::tests {

namespace {

/// A part of the constructor's arguments as a config; names that the config lacks are left out.
template <class Config>
Config partOf(const std::string& className, const Json& arguments, const Json& more = {})
{
    Json own = Json::object();
    for (const Json* source : { &arguments, &more }) {
        for (const catalog::Field& field : catalog::fieldsOf<Config>())
            if (source->is_object() && source->contains(field.name))
                own[field.name] = source->at(field.name);
    }
    std::vector<recipe::Diagnostic> diagnostics;
    const auto config = catalog::readConfig<Config>(*constructorNode(className, own), diagnostics);
    if (!diagnostics.empty())
        throw std::runtime_error(diagnostics.front().message);
    return config;
}

std::shared_ptr<model::CifPredictor> predictorOf(const std::string& name, const Json& arguments)
{
    if (name == "CifPredictorV3")
        return std::make_shared<model::CifPredictorV3>(
            partOf<catalog::CifPredictorV3Config>(name, arguments));
    if (name == "CifPredictorV2")
        return std::make_shared<model::CifPredictor>(
            partOf<catalog::CifPredictorV2Config>(name, arguments), model::CifVersion::V2);
    return std::make_shared<model::CifPredictor>(
        partOf<catalog::CifPredictorConfig>(name, arguments), model::CifVersion::V1);
}

/// The layers under upstream's names, in the mode and with the state of a case.
class Network final : public torch::nn::Module {
public:
    explicit Network(const Case& test)
    {
        const Json& arguments = test.json.at("constructor");
        buildRecogniser(arguments);
        if (arguments.contains("seaco_decoder"))
            buildBias(arguments);
        loadState(*this, test);
        train(test.json.value("mode", "eval") == "train");
    }

    model::Paraformer recogniser() const { return { m_layers, m_config }; }
    model::Seaco seaco() const { return { m_bias, m_seacoConfig }; }

private:
    void buildRecogniser(const Json& arguments)
    {
        const Json& encoder = arguments.at("encoder_conf");
        const Json sizes { { "vocab_size", arguments.at("vocab_size") },
            { "encoder_output_size", encoder.at("output_size") } };
        m_layers.encoder = register_module("encoder",
            std::make_shared<model::SanmEncoder>(
                partOf<catalog::SanmEncoderConfig>("SANMEncoder", encoder, arguments)));
        m_layers.decoder = register_module("decoder",
            std::make_shared<model::ParaformerDecoder>(partOf<catalog::ParaformerDecoderConfig>(
                "ParaformerSANMDecoder", arguments.at("decoder_conf"), sizes)));
        m_layers.predictor = register_module("predictor",
            predictorOf(
                arguments.at("predictor").get<std::string>(), arguments.at("predictor_conf")));
        m_config = partOf<catalog::ParaformerConfig>("Paraformer", arguments);
    }

    void buildBias(const Json& arguments)
    {
        const auto width = arguments.at("inner_dim").get<int64_t>();
        const auto tokens = arguments.at("vocab_size").get<int64_t>();
        const bool isBoth = arguments.at("bias_encoder_bid").get<bool>();
        m_bias.biasEncoder = register_module("bias_encoder",
            std::make_shared<model::TorchLstm>(catalog::TorchLstmConfig { .inputSize = width,
                .hiddenSize = width,
                .numLayers = 2,
                .batchFirst = true,
                .bidirectional = isBoth }));
        if (isBoth)
            m_bias.projection = register_module(
                "lstm_proj", std::make_shared<model::TorchLinear>(linear(2 * width, width)));
        m_bias.decoder = register_module("seaco_decoder",
            std::make_shared<model::ParaformerDecoder>(partOf<catalog::ParaformerDecoderConfig>(
                "ParaformerSANMDecoder", arguments.at("seaco_decoder_conf"),
                Json { { "vocab_size", tokens }, { "encoder_output_size", width } })));
        m_bias.output = register_module(
            "hotword_output_layer", std::make_shared<model::TorchLinear>(linear(width, tokens)));
        m_seacoConfig = partOf<catalog::SeacoConfig>("SeacoParaformer", arguments);
        m_seacoConfig.seacoId = arguments.at("NO_BIAS").get<int64_t>();
    }

    static catalog::TorchLinearConfig linear(int64_t inputs, int64_t outputs)
    {
        catalog::TorchLinearConfig config;
        config.inFeatures = inputs;
        config.outFeatures = outputs;
        return config;
    }

    model::ParaformerLayers m_layers;
    model::SeacoLayers m_bias;
    catalog::ParaformerConfig m_config;
    catalog::SeacoConfig m_seacoConfig;
};

model::Encoded encode(const Case& test, const model::Paraformer& recogniser)
{
    const torch::Tensor& speech = test.tensor("in.speech");
    return recogniser.encode(speech,
        model::keyPaddingOfCounts(test.tensor("in.speech_lengths"), speech.size(1)).logical_not());
}

model::ParaformerTargets targets(const Case& test, const model::Paraformer& recogniser)
{
    return model::targetsOf(
        test.tensor("in.text"), test.tensor("in.text_lengths"), recogniser.config());
}

/// Upstream draws torch.randperm(n) a row; the cases have argsort(sampler_u[:n]) in its place.
torch::Tensor keysOf(const Case& test, const model::ParaformerTargets& targets)
{
    return test.tensor("in.sampler_u")
        .narrow(0, 0, targets.tokens_BU.size(1))
        .expand_as(targets.tokens_BU);
}

torch::Tensor accuracy(const torch::Tensor& scores_BUV, const model::ParaformerTargets& targets)
{
    const torch::Tensor isRight = scores_BUV.argmax(-1) == targets.tokens_BU;
    return isRight.logical_and(targets.valid_BU).sum().to(torch::kFloat) / targets.valid_BU.sum();
}

/// Of a case of functions rather than of an object, one for all.
Tolerance modelTolerance(const Case& test)
{
    const bool hasKinds = test.json.at("tolerance_fp32").contains("out");
    return hasKinds ? test.tolerance("out") : test.tolerance();
}

void compareValue(
    const Case& test, const std::string& name, const torch::Tensor& value, Comparison& compare)
{
    if (test.has("out." + name))
        compare.tensors("out." + name, value.reshape(test.tensor("out." + name).sizes()),
            test.tensor("out." + name), modelTolerance(test));
}

void settleFires(const Case& test, Network& network, Comparison& compare)
{
    const model::Paraformer recogniser = network.recogniser();
    const model::ParaformerTargets wanted = targets(test, recogniser);
    const model::Encoded encoded = encode(test, recogniser);
    settleFires(
        test, network.named_parameters()["predictor.cif_output.bias"],
        [&] { return recogniser.align(encoded, wanted).peaks_BT; }, compare);
}

/// The number that upstream divides by.
torch::Tensor divisor(const model::Paraformer& recogniser, const model::ParaformerTargets& wanted)
{
    return recogniser.config().lengthNormalizedLoss ? wanted.counts_B.sum()
                                                    : torch::tensor(wanted.counts_B.size(0));
}

/// What lies before the loss, without a gradient.
void compareParts(const Case& test, const model::Paraformer& recogniser, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const model::Encoded encoded = encode(test, recogniser);
    const model::ParaformerTargets wanted = targets(test, recogniser);
    const model::CifPrediction predicted = recogniser.align(encoded, wanted);
    compareValue(test, "encoder_out", encoded.x_BTD, compare);
    compareValue(test, "encoder_out_lens", encoded.valid_BT.sum(-1), compare);
    compareValue(test, "ys_pad_eos", wanted.tokens_BU, compare);
    compareValue(test, "pre_acoustic_embeds", predicted.embeds_BUD, compare);
    compareValue(test, "pre_token_num", predicted.tokens_B, compare);
    compareValue(test, "alphas", predicted.alphas_BT, compare);
    compareValue(test, "cif_peak", predicted.peaks_BT, compare);
    compareValue(test, "fired_per_row", firesOf(predicted.peaks_BT), compare);
    compareValue(test, "weight", divisor(recogniser, wanted), compare);
    compareValue(test, "stat_batch_size", torch::tensor(encoded.x_BTD.size(0)), compare);
}

void compareTerms(const Case& test, const model::ParaformerTerms& terms, const torch::Tensor& count,
    const model::ParaformerTargets& wanted, Comparison& compare)
{
    compareValue(test, "stat_loss_att", terms.attention / count, compare);
    compareValue(test, "stat_loss_pre", terms.length / count, compare);
    if (terms.fineLength.defined())
        compareValue(test, "stat_loss_pre2", terms.fineLength / count, compare);
    const torch::Tensor share = accuracy(terms.firstScores_BUV, wanted);
    compareValue(test, "stat_acc", share, compare);
    compareValue(test, "stat_acc_att", share, compare);
}

void runParaformer(const Case& test, Comparison& compare)
{
    Network network(test);
    settleFires(test, network, compare);
    const model::Paraformer recogniser = network.recogniser();
    compareParts(test, recogniser, compare);
    const model::ParaformerTargets wanted = targets(test, recogniser);
    const torch::Tensor count = divisor(recogniser, wanted);
    const model::ParaformerTerms terms
        = recogniser.terms(encode(test, recogniser), wanted, keysOf(test, wanted));
    compareTerms(test, terms, count, wanted, compare);
    compareCall(test, { { "loss", (terms.weighed(recogniser.config()) / count).reshape({ 1 }) } },
        &network, {}, compare);
}

void runSeaco(const Case& test, Comparison& compare)
{
    Network network(test);
    settleFires(test, network, compare);
    const model::Paraformer recogniser = network.recogniser();
    const model::Seaco seaco = network.seaco();
    compareParts(test, recogniser, compare);
    const model::ParaformerTargets wanted = targets(test, recogniser);
    const model::Encoded encoded = encode(test, recogniser);
    const torch::Tensor& labels = test.tensor("in.seaco_label_pad");
    torch::Tensor loss = seaco.loss(recogniser, encoded, wanted,
                             { test.tensor("in.hotword_pad"),
                                 test.hostTensor("in.hotword_lengths").to(torch::kLong) },
                             labels)
        / (labels != -1).sum();
    compareValue(test, "stat_loss_seaco", loss, compare);
    if (seaco.config().trainDecoder) {
        const torch::Tensor count = divisor(recogniser, wanted);
        const model::ParaformerTerms terms
            = recogniser.terms(encoded, wanted, keysOf(test, wanted));
        compareTerms(test, terms, count, wanted, compare);
        loss = loss + terms.attention / count * seaco.config().seacoWeight;
    }
    compareCall(test, { { "loss", loss.reshape({ 1 }) } }, &network, {}, compare);
}

/// Of one way to recognise: what comes before the decoder.
model::ParaformerDecoded compareDecoded(
    const Case& test, const model::Paraformer& recogniser, Comparison& compare)
{
    const model::Encoded encoded = encode(test, recogniser);
    const model::CifPrediction predicted
        = recogniser.layers().predictor->predict(encoded.x_BTD, encoded.valid_BT);
    const model::ParaformerDecoded decoded = recogniser.decode(encoded);
    compareValue(test, "encoder_out", encoded.x_BTD, compare);
    compareValue(test, "alphas", predicted.alphas_BT, compare);
    compareValue(test, "cif_peak", predicted.peaks_BT, compare);
    compareValue(test, "acoustic_embeds", decoded.embeds_BUD, compare);
    compareValue(test, "token_num", predicted.tokens_B, compare);
    compare.tensors("token_len", decoded.counts_B,
        torch::tensor(test.finding("token_len").as<std::vector<int64_t>>()), {});
    return decoded;
}

void runParaformerDecoding(const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const Network network(test);
    const model::Paraformer recogniser = network.recogniser();
    const model::ParaformerDecoded decoded = compareDecoded(test, recogniser, compare);
    compareValue(test, "log_probs", decoded.logProbs_BUV, compare);
    compare.equal("token_ids", recogniser.texts(decoded.logProbs_BUV, decoded.counts_B),
        test.finding("token_ids").whole());
}

void runSeacoDecoding(const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const Network network(test);
    const model::Paraformer recogniser = network.recogniser();
    const model::ParaformerDecoded decoded = compareDecoded(test, recogniser, compare);
    const torch::Tensor hotwords_HD = network.seaco().represent(recogniser,
        model::hotwordsOf(
            test.json.at("hotwords").get<std::vector<std::vector<int64_t>>>(), parityDevice()));
    const auto with = [&](int64_t most, double weight) {
        return network.seaco().decode(decoded, hotwords_HD, most, weight);
    };
    compareValue(test, "logp_nohotword", decoded.logProbs_BUV, compare);
    compareValue(test, "logp_nfilter50_w1", with(50, 1), compare);
    compareValue(test, "logp_nfilter2_w1", with(2, 1), compare);
    compareValue(test, "logp_nfilter50_w0.6", with(50, 0.6), compare);
}

} // namespace

Runners paraformerModelRunners()
{
    return { { "funasr.models.paraformer.model.Paraformer", runParaformer },
        { "funasr.models.bicif_paraformer.model.BiCifParaformer", runParaformer },
        { "funasr.models.seaco_paraformer.model.SeacoParaformer", runSeaco },
        { "Paraformer encode -> calc_predictor -> cal_decoder_with_predictor",
            runParaformerDecoding },
        { "SeacoParaformer._seaco_decode_with_ASF", runSeacoDecoding } };
}

} // namespace earwright::tests
