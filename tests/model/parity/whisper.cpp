#include "core/model/whisper/whisper.h"

#include "tests/model/parity/runners.h"

#include <algorithm>
#include <torch/utils.h>

namespace earwright::tests {

namespace {

using WhisperTensors = std::map<std::string, torch::Tensor>;

constexpr int64_t kNoLabel = -100;
constexpr int64_t kKept = 25; ///< of so many frames the first is recorded

model::WhisperSizes whisperSizesOf(Json config)
{
    config["model_type"] = "whisper";
    const Result<model::WhisperSizes> sizes = model::parseWhisperConfig(config.dump());
    TORCH_CHECK(sizes, sizes.error().message);
    return *sizes;
}

/// WhisperForConditionalGeneration of `transformers`, whose output layer is the tokens' vectors.
class TiedWhisper final : public torch::nn::Module {
public:
    explicit TiedWhisper(const model::WhisperSizes& sizes)
        : model(register_module("model", std::make_shared<model::WhisperModel>(sizes)))
    {
        register_module("proj_out", std::make_shared<torch::nn::Module>())
            ->register_buffer("weight", torch::zeros({ sizes.vocabulary, sizes.width }));
    }

    std::shared_ptr<model::WhisperModel> model;
};

/// The labels behind the first token of all texts; what has none becomes padding.
torch::Tensor shiftedRight(
    const torch::Tensor& labels_BU, const model::WhisperSizes& sizes, int64_t firstToken)
{
    const torch::Tensor first_B1
        = torch::full({ labels_BU.size(0), 1 }, firstToken, labels_BU.options());
    const torch::Tensor shifted_BU
        = torch::cat({ first_B1, labels_BU.narrow(1, 0, labels_BU.size(1) - 1) }, 1);
    return shifted_BU.masked_fill(shifted_BU == kNoLabel, sizes.padToken.value());
}

void addLayers(const std::string& prefix, const model::LayerOutputs& layers, WhisperTensors& to)
{
    for (size_t i = 0; i < layers.hidden_BTD.size(); ++i)
        to[prefix + std::to_string(i)] = layers.hidden_BTD[i];
}

void runLoss(const Case& test, Comparison& compare)
{
    const model::WhisperSizes sizes = whisperSizesOf(test.json.at("constructor"));
    TiedWhisper whisper(sizes);
    loadState(whisper, test);
    whisper.train(test.json.at("mode") == "train");
    const torch::Tensor mel_BMF = test.tensor("in.mel").clone().set_requires_grad(true);
    const torch::Tensor& labels_BU = test.tensor("in.labels");
    const model::LayerOutputs encoded = whisper.model->encode(mel_BMF, true);
    model::WhisperDecoder& decoder = whisper.model->decoder();
    const int64_t firstToken
        = test.json.at("constructor").at("decoder_start_token_id").get<int64_t>();
    const model::LayerOutputs decoded
        = decoder.forward(shiftedRight(labels_BU, sizes, firstToken), encoded.last_BTD, true);
    const torch::Tensor logits_BUV = decoder.logits(decoded.last_BTD);
    const torch::Tensor loss = at::cross_entropy_loss(
        logits_BUV.flatten(0, 1), labels_BU.flatten(), {}, at::Reduction::Mean, kNoLabel);
    WhisperTensors outputs { { "loss", loss }, { "logits", logits_BUV },
        { "mid.encoder_last", encoded.last_BTD } };
    addLayers("mid.enc.", encoded, outputs);
    addLayers("mid.dec.", decoded, outputs);
    compareCall(test, outputs, &whisper, { { "mel", mel_BMF } }, compare);
    compare.check("positions of the encoder are frozen",
        !whisper.model->encoder().positions_TD().requires_grad());
}

torch::Tensor everyKept(const torch::Tensor& x, int64_t dimension)
{
    return x.slice(dimension, 0, x.size(dimension), kKept);
}

void runWrappedWhisper(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    catalog::WhisperConfig config;
    config.encoderOnly = arguments.value("encoder_only", config.encoderOnly);
    config.freezeEncoder = arguments.value("freeze_encoder", config.freezeEncoder);
    model::Whisper whisper(config, whisperSizesOf(arguments.at("hf_config")));
    const auto buffer = test.tensor("buffer._mel_filters");
    compare.tensors("_mel_filters", whisper.named_buffers()["_mel_filters"], buffer, {});
    loadState(whisper, test);
    const auto prefix = test.finding("state_dict_prefix").as<std::string>();
    const Json frozen = test.json.value("frozen_params", Json::array());
    for (const auto& parameter : whisper.named_parameters()) {
        compare.check("named as upstream: " + parameter.key(), parameter.key().starts_with(prefix));
        const bool isFrozen
            = std::find(frozen.begin(), frozen.end(), parameter.key()) != frozen.end();
        compare.check("frozen: " + parameter.key(), isFrozen != parameter.value().requires_grad());
    }
    whisper.train();
    const torch::Tensor& wav_BN = test.tensor("in.wav");
    const torch::Tensor encoder_BTD = whisper.forward(wav_BN);
    WhisperTensors outputs { { "y_every25", everyKept(encoder_BTD, 1) } };
    if (test.has("out.mid.mel_every25"))
        outputs["mid.mel_every25"] = everyKept(whisper.mel(wav_BN), 2);
    if (test.has("in.tokens"))
        outputs["logits"] = whisper.logits(encoder_BTD, test.tensor("in.tokens"));
    compareCall(test, outputs, &whisper, {}, compare);
}

void runFeatures(const Case& test, Comparison& compare, int64_t mels)
{
    using Loudest = model::LogMel::Loudest;
    const Tolerance tolerance = test.tolerance();
    const std::string name = "out.mel" + std::to_string(mels);
    model::LogMel extractor(mels);
    const auto compareMel = [&](const std::string& part, const torch::Tensor& mel) {
        compare.tensors(name + part, mel, test.tensor(name + part), tolerance);
    };
    const torch::Tensor filters_KM = extractor.filters_MK().t();
    const std::string filters = "out.filters" + std::to_string(mels) + "_nonzero";
    compare.tensors(
        filters, filters_KM.masked_select(filters_KM > 0), test.tensor(filters), tolerance);

    const torch::Tensor short_1N = test.tensor("in.wav_1s").unsqueeze(0);
    const torch::Tensor short_1MF = extractor.of(short_1N, Loudest::OfRow);
    compare.tensors("shape", torch::tensor(short_1MF.sizes()), test.tensor(name + "_1s_shape"), {});
    compareMel("_1s_first110", short_1MF[0].narrow(1, 0, 110));
    compareMel("_1s_last", short_1MF[0].select(1, -1));
    const torch::Tensor whole_1MF = extractor.ofWhole(short_1N, Loudest::OfRow);
    compareMel("_1s_nopad", whole_1MF[0]);
    compare.values("own frames", static_cast<double>(whole_1MF.size(2)),
        test.tensor("out.mask_1s_sum").item<double>(), {});

    const torch::Tensor long_1N
        = test.tensor("in.pcm16_30s").to(torch::kFloat).div(32768).unsqueeze(0);
    const torch::Tensor long_MF = extractor.of(long_1N, Loudest::OfRow)[0];
    compareMel("_30s_every20", long_MF.slice(1, 0, long_MF.size(1), 20));
    compareMel("_30s_last8", long_MF.narrow(1, long_MF.size(1) - 8, 8));
}

void runExtractors(const Case& test, Comparison& compare)
{
    for (const int64_t mels : { 80, 128 })
        runFeatures(test, compare, mels);
}

} // namespace

Runners whisperRunners()
{
    return {
        { "transformers WhisperForConditionalGeneration", runLoss },
        { "transformers.WhisperFeatureExtractor", runExtractors },
        { "speechbrain.integrations.huggingface.whisper.Whisper", runWrappedWhisper },
    };
}

} // namespace earwright::tests
