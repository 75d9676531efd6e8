#include "core/model/pretrained/pretrained_encoder.h"

#include "core/model/ctc_loss.h"
#include "core/model/masks.h"
#include "core/model/pretrained/pretrained_bert.h"
#include "core/model/pretrained/wave_normalization.h"
#include "tests/model/parity/runners.h"

#include <numeric>
#include <torch/utils.h>

namespace earwright::tests {

namespace {

using NamedTensors = std::map<std::string, torch::Tensor>;

model::EncoderConfig encoderConfigOf(Json config, const std::string& modelType)
{
    config["model_type"] = modelType;
    Result<model::EncoderConfig> parsed = model::parseEncoderConfig(config.dump());
    TORCH_CHECK(parsed, parsed.error().message);
    return std::move(*parsed);
}

/// Samples of each row, on the CPU; undefined without an attention mask.
torch::Tensor samplesOf(const Case& test)
{
    if (!test.has("in.attention_mask"))
        return {};
    return test.hostTensor("in.attention_mask").sum(-1);
}

torch::Tensor firstOf(const torch::Tensor& counts_B, int64_t size)
{
    return torch::arange(size, torch::kLong) < counts_B.cpu().unsqueeze(1);
}

torch::Tensor trainableWave(const Case& test)
{
    return test.tensor("in.wav").clone().set_requires_grad(true);
}

/// What enters the first layer, and what each gives.
void addHidden(const model::LayerOutputs& layers, NamedTensors& outputs)
{
    for (size_t i = 0; i < layers.hidden_BTD.size(); ++i)
        outputs["mid.hidden_states." + std::to_string(i)] = layers.hidden_BTD[i];
}

void runModel(const Case& test, Comparison& compare, const std::string& modelType)
{
    model::WaveEncoder encoder(encoderConfigOf(test.json.at("constructor"), modelType));
    loadState(encoder, test);
    encoder.train(test.json.at("mode") == "train");
    const torch::Tensor wav_BN = trainableWave(test);
    model::WaveEncoder::Input input { wav_BN, samplesOf(test) };
    if (test.has("in.mask_time_indices"))
        input.masked_BT = test.tensor("in.mask_time_indices");
    input.keepHidden = true;
    const model::WaveEncoder::Output output = encoder.forward(input);
    if (test.has("out.feature_mask"))
        compare.tensors("feature_mask", firstOf(output.frames_B, output.layers.last_BTD.size(1)),
            test.tensor("out.feature_mask"), {});
    NamedTensors outputs { { "last_hidden_state", output.layers.last_BTD } };
    if (test.has("out.mid.extract_features"))
        outputs["mid.extract_features"] = output.features_BTC;
    addHidden(output.layers, outputs);
    compareCall(test, outputs, &encoder, { { "wav", wav_BN } }, compare);
}

void runBert(const Case& test, Comparison& compare)
{
    model::BertEncoder encoder(encoderConfigOf(test.json.at("constructor"), "wav2vec2-bert"));
    loadState(encoder, test);
    encoder.train(test.json.at("mode") == "train");
    const torch::Tensor x_BTF = test.tensor("in.input_features").clone().set_requires_grad(true);
    const model::LayerOutputs layers = encoder.forward(x_BTF, samplesOf(test), true);
    NamedTensors outputs { { "last_hidden_state", layers.last_BTD } };
    addHidden(layers, outputs);
    compareCall(test, outputs, &encoder, { { "input_features", x_BTF } }, compare);
}

/// Wav2Vec2ForCTC of `transformers`.
class CtcModel final : public torch::nn::Module {
public:
    CtcModel(const model::EncoderConfig& config, int64_t labels)
        : encoder(register_module("wav2vec2", std::make_shared<model::WaveEncoder>(config)))
        , head(register_module("lm_head", model::Projection(config.width, labels)))
    {
    }

    std::shared_ptr<model::WaveEncoder> encoder;
    model::Projection head;
};

void runCtcModel(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    CtcModel ctc(encoderConfigOf(arguments, "wav2vec2"), arguments.at("vocab_size").get<int64_t>());
    loadState(ctc, test);
    ctc.train();
    const model::WaveEncoder::Output output
        = ctc.encoder->forward({ test.tensor("in.wav"), samplesOf(test) });
    const torch::Tensor logits_BTV = ctc.head(output.layers.last_BTD);
    const torch::Tensor labels_BS = test.hostTensor("in.labels");
    catalog::CtcLossConfig config;
    config.blankIndex = arguments.at("pad_token_id").get<int64_t>();
    config.reduction = arguments.at("ctc_loss_reduction").get<std::string>();
    const torch::Tensor loss = model::ctcLoss(torch::log_softmax(logits_BTV, -1),
        labels_BS.clamp_min(0).to(logits_BTV.device()), output.frames_B / logits_BTV.size(1),
        (labels_BS >= 0).sum(-1) / labels_BS.size(1), config);
    compareCall(test, { { "logits", logits_BTV }, { "loss", loss } }, &ctc, {}, compare);
}

/// Of a checkpoint with the older names of weight norm.
void runOlderNames(const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    model::WaveEncoder encoder(encoderConfigOf(test.json.at("constructor"), "wav2vec2"));
    encoder.to(parityDevice());
    const auto told = model::loadHubWeights(
        encoder, model::encoderWeights(test.under("param"), model::EncoderFamily::Wav2Vec2));
    TORCH_CHECK(told, told.error().message);
    compare.check("nothing to tell", told->empty());
    encoder.eval();
    const auto output = encoder.forward({ test.tensor("in.wav"), samplesOf(test) });
    compare.tensors("last_hidden_state", output.layers.last_BTD,
        test.tensor("out.last_hidden_state"), test.tolerance());
    const auto parameters = encoder.named_parameters();
    for (const Finding& name : test.finding("save_pretrained_names").items())
        compare.check(name.as<std::string>(), parameters.contains(name.as<std::string>()));
    for (const Finding& name : test.finding("renamed").items()) {
        const auto current = model::encoderWeights(
            { { "conv." + name.as<std::string>(), {} } }, model::EncoderFamily::Wav2Vec2);
        compare.check(name.key(), current.tensors.contains("conv." + name.key()));
    }
}

/// The arguments of SpeechBrain's wrapper.
template <class Config>
Config wrapperConfigOf(const Json& arguments)
{
    Config config;
    config.outputNorm = arguments.value("output_norm", config.outputNorm);
    config.freeze = arguments.value("freeze", config.freeze);
    config.freezeFeatureExtractor
        = arguments.value("freeze_feature_extractor", config.freezeFeatureExtractor);
    config.applySpecAugment = arguments.value("apply_spec_augment", config.applySpecAugment);
    config.outputAllHiddens = arguments.value("output_all_hiddens", config.outputAllHiddens);
    return config;
}

void compareFrozen(const Case& test, const torch::nn::Module& layer, Comparison& compare)
{
    const Json frozen = test.json.value("frozen_params", Json::array());
    for (const auto& parameter : layer.named_parameters()) {
        const bool isFrozen
            = std::find(frozen.begin(), frozen.end(), parameter.key()) != frozen.end();
        compare.check("frozen: " + parameter.key(), isFrozen != parameter.value().requires_grad());
    }
}

void compareWrapped(const Case& test, model::PretrainedLayer& layer, Comparison& compare)
{
    loadState(layer, test);
    compareFrozen(test, layer, compare);
    for (const auto& parameter : layer.named_parameters())
        compare.check("named as upstream: " + parameter.key(),
            parameter.key().starts_with(test.finding("state_dict_prefix").as<std::string>()));
    // What is frozen stays in evaluation.
    layer.train();
    const torch::Tensor lengths_B
        = test.has("in.wav_lens") ? test.hostTensor("in.wav_lens") : torch::Tensor();
    const torch::Tensor y = layer.forward(test.tensor("in.wav"), lengths_B);
    if (test.has("loss")) {
        compareCall(test, { { "y", y } }, &layer, {}, compare);
        return;
    }
    compare.tensors("y", y, test.tensor("out.y"), test.tolerance("out"));
    compare.check("no gradient", !y.requires_grad());
    compare.check("all else has one", test.finding("params_without_grad").items().empty());
}

void runWrapped(const Case& test, Comparison& compare, const std::string& modelType)
{
    const Json& arguments = test.json.at("constructor");
    model::PretrainedEncoder layer(wrapperConfigOf<catalog::PretrainedEncoderConfig>(arguments),
        encoderConfigOf(arguments.at("hf_config"), modelType),
        arguments.at("feature_extractor.do_normalize").get<bool>());
    compareWrapped(test, layer, compare);
}

void runWrappedBert(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    model::PretrainedBert layer(wrapperConfigOf<catalog::PretrainedBertConfig>(arguments),
        encoderConfigOf(arguments.at("hf_config"), "wav2vec2-bert"));
    compareWrapped(test, layer, compare);
}

void runPaddingMasks(const Case& test, Comparison& compare)
{
    for (const Finding& expected : test.finding("row_sums").items()) {
        const std::string& name = expected.key();
        if (!test.has("in." + name)) {
            compare.check(name + ": no mask", expected.whole().is_null());
            continue;
        }
        const torch::Tensor counts_B
            = model::frameCounts(test.hostTensor("in." + name), test.tensor("in.wav").size(1));
        const auto sums = expected.as<std::vector<int64_t>>();
        compare.tensors(name + ": row sums", counts_B, torch::tensor(sums), {});
        compare.tensors(name, firstOf(counts_B, counts_B.max().item<int64_t>()),
            test.tensor("out." + name), {});
    }
}

void runExtractor(const Case& test, Comparison& compare)
{
    const Tolerance tolerance = test.tolerance();
    const torch::Tensor& wav_BN = test.tensor("in.wav");
    const torch::Tensor samples_B = test.hostTensor("in.lens");
    const torch::Tensor alone_BN = model::normalizedAlone(wav_BN, samples_B);
    compare.tensors("with a mask", alone_BN, test.tensor("out.mask_input_values"), tolerance);
    compare.tensors("without", model::normalizedAlone(wav_BN, {}),
        test.tensor("out.nomask_input_values"), tolerance);
    compare.tensors("attention mask", firstOf(samples_B, wav_BN.size(1)),
        test.tensor("out.mask_attention_mask"), {});
    compare.tensors("with padding", model::normalizedWithPadding(wav_BN),
        test.tensor("out.speechbrain_normalised"), tolerance);
}

void runMelPairs(const Case& test, Comparison& compare)
{
    const Tolerance tolerance = test.tolerance();
    const torch::Tensor& wav_BN = test.tensor("in.wav");
    const torch::Tensor samples_B = test.hostTensor("in.lens");
    model::MelPairs extractor(test.json.at("constructor").at("num_mel_bins").get<int64_t>());
    compare.tensors("log mels", extractor.logMels(wav_BN, samples_B)[0],
        test.tensor("out.fbank_row0_unnormalised"), tolerance);
    const model::MelPairs::Output pairs = extractor.of(wav_BN, samples_B);
    compare.tensors("features", pairs.features_BTF, test.tensor("out.input_features"), tolerance);
    compare.tensors("attention mask", firstOf(pairs.pairs_B, pairs.features_BTF.size(1)),
        test.tensor("out.attention_mask"), {});
}

/// What numpy drew: one number of a call, then the starts of each row that has any.
class RecordedSpans final : public model::RandomSource {
public:
    explicit RecordedSpans(const Json& draws)
        : m_draws(draws)
    {
    }

    torch::Tensor uniform(at::IntArrayRef) override
    {
        return torch::tensor(next("rand").front().get<double>(), torch::kDouble);
    }
    torch::Tensor permutation(int64_t count) override
    {
        while (m_draws.at(m_next).at("n") == 0)
            ++m_next;
        TORCH_CHECK(m_draws.at(m_next).at("choice_from") == count, "a start of ", count);
        return torch::tensor(next("values").get<std::vector<int64_t>>());
    }

private:
    const Json& next(const char* key) { return m_draws.at(m_next++).at(key); }

    const Json& m_draws;
    size_t m_next = 0;
};

void runMaskedSpans(const Case& test, Comparison& compare)
{
    for (const Finding& one : test.finding("cases").items()) {
        const auto shape = one.at("shape").as<std::vector<int64_t>>();
        const model::SpanMasking masking { one.at("mask_prob").number(),
            one.at("mask_length").as<int64_t>(), one.at("min_masks").as<int64_t>() };
        const Json lens = one.at("lens").whole();
        const auto lengths = lens.is_null()
            ? std::vector<int64_t>(static_cast<size_t>(shape[0]), shape[1])
            : lens.get<std::vector<int64_t>>();
        RecordedSpans random(test.json.at("cases").at(one.key()).at("draws"));
        compare.tensors(one.key(), model::maskedSpans(masking, shape[1], lengths, random),
            test.tensor("out.mask_" + one.key()), {});
    }
}

} // namespace

Runners pretrainedRunners()
{
    const std::string models = "transformers.models.";
    const std::string wrappers = "speechbrain.integrations.huggingface.";
    const auto modelRunner = [](const char* type) {
        return [type](const Case& test, Comparison& compare) { runModel(test, compare, type); };
    };
    const auto wrapperRunner = [](const char* type) {
        return [type](const Case& test, Comparison& compare) { runWrapped(test, compare, type); };
    };
    return {
        { models + "wav2vec2.modeling_wav2vec2.Wav2Vec2Model", modelRunner("wav2vec2") },
        { models + "hubert.modeling_hubert.HubertModel", modelRunner("hubert") },
        { models + "wavlm.modeling_wavlm.WavLMModel", modelRunner("wavlm") },
        { models + "data2vec.modeling_data2vec_audio.Data2VecAudioModel",
            modelRunner("data2vec-audio") },
        { models + "wav2vec2.modeling_wav2vec2._compute_mask_indices", runMaskedSpans },
        { "transformers Wav2Vec2ForCTC", runCtcModel },
        { "transformers Wav2Vec2Model.from_pretrained", runOlderNames },
        { "transformers.Wav2Vec2FeatureExtractor", runExtractor },
        { models + "wav2vec2_bert.modeling_wav2vec2_bert.Wav2Vec2BertModel", runBert },
        { "transformers.SeamlessM4TFeatureExtractor", runMelPairs },
        { wrappers + "w2v_bert.W2VBert", runWrappedBert },
        { wrappers + "wav2vec2.Wav2Vec2", wrapperRunner("wav2vec2") },
        { wrappers + "hubert.HuBERT", wrapperRunner("hubert") },
        { wrappers + "wavlm.WavLM", wrapperRunner("wavlm") },
        { wrappers + "huggingface.make_padding_masks", runPaddingMasks },
    };
}

} // namespace earwright::tests
