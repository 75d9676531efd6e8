#include "tests/model/parity/runners.h"

#include "core/catalog/read.h"
#include "core/decode/ctc_greedy.h"
#include "core/model/ctc_loss.h"
#include "core/model/paraformer/sense_voice.h"
#include "core/model/transformer/masks.h"

#include <torch/utils.h>

namespace earwright::tests {

namespace {

/// Arguments of a constructor as a config; names that the config lacks are left out.
template <class Config>
Config argumentsOf(const std::string& className, const Json& arguments, const Json& more = {})
{
    Json own = Json::object();
    for (const Json* source : { &arguments, &more })
        for (const catalog::Field& field : catalog::fieldsOf<Config>())
            if (source->is_object() && source->contains(field.name))
                own[field.name] = source->at(field.name);
    std::vector<recipe::Diagnostic> diagnostics;
    const auto config = catalog::readConfig<Config>(*constructorNode(className, own), diagnostics);
    if (!diagnostics.empty())
        throw std::runtime_error(diagnostics.front().message);
    return config;
}

torch::Tensor validOf(const Case& test, const std::string& counts, const torch::Tensor& x_BTF)
{
    return model::keyPaddingOfCounts(test.tensor("in." + counts), x_BTF.size(1)).logical_not();
}

void runSenseVoiceEncoder(const Case& test, Comparison& compare)
{
    const auto encoder
        = std::make_shared<model::SenseVoiceEncoder>(argumentsOf<catalog::SenseVoiceEncoderConfig>(
            "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", test.json.at("constructor")));
    loadState(*encoder, test);
    encoder->train(test.json.at("mode") == "train");
    const torch::Tensor x = test.tensor("in.x").clone().set_requires_grad(true);
    const torch::Tensor valid = validOf(test, "lens", x);
    compare.tensors("out.olens", valid.sum(-1), test.tensor("out.olens"), {});
    compareCall(
        test, { { "y", encoder->encode(x, valid) } }, encoder.get(), { { "x", x } }, compare);
}

/// The layers under upstream's names, in the mode and with the state of a case.
class SenseVoiceNetwork final : public torch::nn::Module {
public:
    explicit SenseVoiceNetwork(const Case& test)
    {
        const Json& arguments = test.json.at("constructor");
        const Json& encoder = arguments.at("encoder_conf");
        catalog::TorchEmbeddingConfig table;
        table.numEmbeddings = catalog::kRichQueries;
        table.embeddingDim = arguments.at("input_size").get<int64_t>();
        m_layers.encoder = register_module("encoder",
            std::make_shared<model::SenseVoiceEncoder>(
                argumentsOf<catalog::SenseVoiceEncoderConfig>(
                    "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", encoder, arguments)));
        m_layers.ctc = register_module("ctc",
            std::make_shared<model::CtcBranch>(argumentsOf<catalog::FunasrCtcConfig>(
                "funasr.models.ctc.ctc.CTC", arguments.at("ctc_conf"),
                Json { { "odim", arguments.at("vocab_size") },
                    { "encoder_output_size", encoder.at("output_size") } })));
        m_layers.embed = register_module("embed", std::make_shared<model::TorchEmbedding>(table));
        loadState(*this, test);
        train(test.json.value("mode", "eval") == "train");
    }

    model::SenseVoice recogniser() const { return model::SenseVoice(m_layers); }

private:
    model::SenseVoiceLayers m_layers;
};

/// As long as the batch, on the device of the case.
torch::Tensor queriesOf(const std::vector<int64_t>& rows)
{
    return torch::tensor(rows, torch::kLong).to(parityDevice());
}

/// The cases have a vocabulary of 30, and tokens of their own for languages and styles. A row's
/// language is told where more than 0.2 was drawn.
model::RichQueries drawnQueries(const Case& test)
{
    const std::map<int64_t, int64_t> languages { { 14, 3 }, { 15, 4 }, { 16, 7 } };
    const std::map<int64_t, int64_t> styles { { 20, 14 }, { 21, 15 } };
    const torch::Tensor text = test.hostTensor("in.text");
    const torch::Tensor drawn = test.hostTensor("in.lid_u");
    std::vector<int64_t> language;
    std::vector<int64_t> style;
    for (int64_t row = 0; row < text.size(0); ++row) {
        const auto known = languages.find(text[row][0].item<int64_t>());
        const bool isTold = known != languages.end() && drawn[row].item<double>() > 0.2;
        language.push_back(isTold ? known->second : 0);
        style.push_back(styles.at(text[row][3].item<int64_t>()));
    }
    return { queriesOf(language), queriesOf(style) };
}

model::Encoded encodeCase(const Case& test, const std::string& counts,
    const model::SenseVoice& recogniser, const model::RichQueries& queries)
{
    const torch::Tensor& speech = test.tensor("in.speech");
    return recogniser.encode(speech, validOf(test, counts, speech), queries);
}

/// A sum over the rows. The lengths stay on the CPU.
torch::Tensor ctcSum(const Case& test, const model::SenseVoiceScores& scores)
{
    const torch::Tensor text_BL = test.tensor("in.text").narrow(
        1, model::kRichLabels, test.tensor("in.text").size(1) - model::kRichLabels);
    const torch::Tensor counts_B = test.hostTensor("in.text_lengths") - model::kRichLabels;
    catalog::CtcLossConfig config;
    config.blankIndex = 0;
    config.reduction = "sum";
    return model::ctcLoss(scores.frames_BTV.log_softmax(-1), text_BL.clamp_min(0),
        test.hostTensor("in.speech_lengths").to(torch::kFloat64)
            / static_cast<double>(scores.frames_BTV.size(1)),
        counts_B.to(torch::kFloat64) / static_cast<double>(text_BL.size(1)), config);
}

void compareOut(
    const Case& test, const std::string& name, const torch::Tensor& value, Comparison& compare)
{
    const torch::Tensor& expected = test.tensor("out." + name);
    compare.tensors(
        "out." + name, value.reshape(expected.sizes()), expected, test.tolerance("out"));
}

/// What lies before the loss and beside it, without a gradient.
void compareBesideLoss(const Case& test, const model::Encoded& encoded,
    const model::SenseVoiceScores& scores, const torch::Tensor& labels_B4, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const bool isByTokens = test.json.at("constructor").at("length_normalized_loss").get<bool>();
    const int64_t rows = labels_B4.size(0);
    compareOut(test, "mid.encoder_out", encoded.x_BTD, compare);
    compareOut(test, "mid.encoder_out_lens", encoded.valid_BT.sum(-1), compare);
    compareOut(test, "weight",
        isByTokens ? (test.tensor("in.text_lengths") + 1).sum() : torch::tensor(rows), compare);
    compareOut(test, "stat_acc_rich",
        (scores.rich_B4V.argmax(-1) == labels_B4).to(torch::kFloat).mean(), compare);
}

void runSenseVoice(const Case& test, Comparison& compare)
{
    SenseVoiceNetwork network(test);
    const model::SenseVoice recogniser = network.recogniser();
    const Json& arguments = test.json.at("constructor");
    const model::Encoded encoded
        = encodeCase(test, "speech_lengths", recogniser, drawnQueries(test));
    const model::SenseVoiceScores scores = recogniser.scores(encoded);
    const torch::Tensor labels_B4 = test.tensor("in.text").narrow(1, 0, model::kRichLabels);
    const bool isByTokens = arguments.at("length_normalized_loss").get<bool>();
    const int64_t rows = labels_B4.size(0);
    compareBesideLoss(test, encoded, scores, labels_B4, compare);
    const torch::Tensor ctc = ctcSum(test, scores) / rows;
    const torch::Tensor rich
        = model::richLabelSum(scores, labels_B4, arguments.at("lsm_weight").get<double>())
        / (isByTokens ? rows * model::kRichLabels : rows);
    compareOut(test, "stat_loss_ctc", ctc, compare);
    compareOut(test, "stat_loss_rich", rich, compare);
    compareCall(test, { { "loss", (ctc + rich).reshape({ 1 }) } }, &network, {}, compare);
}

void runSenseVoiceDecoding(const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const SenseVoiceNetwork network(test);
    const model::SenseVoice recogniser = network.recogniser();
    const int64_t rows = test.tensor("in.speech").size(0);
    const Tolerance tolerance = test.tolerance();
    struct Told {
        const char* language;
        const char* style;
    };
    for (const auto& [language, style] : { Told { "auto", "woitn" }, Told { "zh", "withitn" } }) {
        const std::string name = std::string(language) + "_" + style;
        const auto alike = [&](int64_t query) {
            return queriesOf(std::vector<int64_t>(static_cast<size_t>(rows), query));
        };
        const model::SenseVoiceScores scores = recogniser.scores(encodeCase(test, "lens",
            recogniser,
            { alike(model::languageQuery(language)), alike(model::styleQuery(style).value()) }));
        compare.tensors("out.logp_" + name,
            torch::cat({ scores.rich_B4V, scores.frames_BTV }, 1).log_softmax(-1),
            test.tensor("out.logp_" + name), tolerance);
        compare.equal("token_ids." + name,
            decode::mergedPaths(model::bestLabels(scores, /*withRich=*/true),
                test.tensor("in.lens") + model::kRichLabels, 0),
            test.finding("token_ids").at(name).whole());
    }
}

} // namespace

Runners senseVoiceRunners()
{
    return { { "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", runSenseVoiceEncoder },
        { "funasr.models.sense_voice.model.SenseVoiceSmall", runSenseVoice },
        { "SenseVoiceSmall encoder + ctc.log_softmax, queries as in inference()",
            runSenseVoiceDecoding } };
}

} // namespace earwright::tests
