#include "core/model/pretrained/pretrained_encoder.h"

#include "core/base/file.h"
#include "core/model/pretrained/pretrained_bert.h"
#include "core/model/register_layer.h"
#include "core/model/tensor_file.h"
#include "core/model/transformer/layer_drop.h"
#include "core/settings/hub_source.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

#include <algorithm>
#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

using namespace earwright;
using namespace earwright::model;
using earwright::settings::findHubFolder;

namespace {

const std::filesystem::path kHub = EARWRIGHT_CASES_DIR "/model/hub";
constexpr const char* kWrapper = "test.Wav2Vec2";

const bool kIsRegistered
    = registerLayer<PretrainedEncoder, catalog::PretrainedEncoderConfig>(kWrapper, true,
        [](const recipe::Node&, const catalog::FrameShape&) -> catalog::FrameShape { return {}; });

catalog::PretrainedEncoderConfig sourceOf(const std::string& folder)
{
    catalog::PretrainedEncoderConfig config;
    config.source = (kHub / folder).string();
    return config;
}

TensorFile hubExpected(const std::string& folder)
{
    Result<TensorFile> file = readTensorFile(kHub / folder / "expected.safetensors");
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return std::move(*file);
}

/// With its quotes written as in Python.
std::string asJson(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

/// Small, without dropout.
EncoderConfig smallConfig(const std::string& more = "")
{
    const Result<EncoderConfig> config = parseEncoderConfig(
        asJson("{'model_type': 'wav2vec2', 'hidden_size': 16, 'num_hidden_layers': 3, "
               "'num_attention_heads': 2, 'intermediate_size': 24, 'conv_dim': [6, 6], "
               "'conv_kernel': [10, 4], 'conv_stride': [5, 2], 'num_conv_pos_embeddings': 4, "
               "'num_conv_pos_embedding_groups': 2, 'hidden_dropout': 0, 'attention_dropout': 0, "
               "'activation_dropout': 0, 'feat_proj_dropout': 0"
            + more + "}"));
    if (!config)
        qFatal("%s", config.error().message.c_str());
    return *config;
}

QString messageOf(const auto& result)
{
    return result ? QString("no error") : QString::fromStdString(result.error().message);
}

QString refusalOf(const std::string& json)
{
    return messageOf(parseEncoderConfig(asJson(json)));
}

} // namespace

/// Folders that `transformers` saved, and SpeechBrain's wrappers of them.
class TstPretrained final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { torch::manual_seed(1); }
    void savedFolder_givesUpstreamsFrames_data();
    void savedFolder_givesUpstreamsFrames();
    void savedBert_givesUpstreamsFrames();
    void bertWithoutConvolutions_cannotFreezeThem();
    void headOfCtc_isToldAndLeftOut();
    void recipe_buildsIt();
    void upstreamsNames_buildIt_data();
    void upstreamsNames_buildIt();
    void unknownSource_saysWhatToFetch();
    void cacheOfTheHub_isFound();
    void brokenFolder_isRefused_data();
    void brokenFolder_isRefused();
    void config_isRefused_data();
    void config_isRefused();
    void frozen_staysInEvaluation();
    void frozenConvolutions_haveNoGradients();
    void masking_isTrainingsAlone();
    void layerdrop_keepsTheListOfHidden();
    void layerdrop_keepsTheFirstLayerOfWavLm();
    void missingMaskVector_isTold();

private:
    void copy(const char* folder, const std::filesystem::path& to) const
    {
        std::filesystem::create_directories(to);
        for (const auto& file : std::filesystem::directory_iterator(kHub / folder))
            std::filesystem::copy_file(file.path(), to / file.path().filename(),
                std::filesystem::copy_options::overwrite_existing);
    }
};

void TstPretrained::savedFolder_givesUpstreamsFrames_data()
{
    QTest::addColumn<QString>("folder");
    for (const char* folder : { "ctc", "pretraining", "sharded", "older", "mms", "data2vec" })
        QTest::newRow(folder) << folder;
}

void TstPretrained::savedFolder_givesUpstreamsFrames()
{
    QFETCH(QString, folder);
    const torch::NoGradGuard noGrad;
    TensorFile expected = hubExpected(folder.toStdString());
    PretrainedEncoder encoder(sourceOf(folder.toStdString()));
    encoder.eval();
    const torch::Tensor y
        = encoder.forward(expected.tensors.at("in.wav"), expected.tensors.at("in.lengths"));
    QCOMPARE(y.sizes().vec(), expected.tensors.at("out.y").sizes().vec());
    const double apart = (y - expected.tensors.at("out.y")).abs().max().item<double>();
    QVERIFY2(apart < 2e-5, std::to_string(apart).c_str());
}

void TstPretrained::savedBert_givesUpstreamsFrames()
{
    const TensorFile expected = hubExpected("bert");
    catalog::PretrainedBertConfig config;
    config.source = (kHub / "bert").string();
    PretrainedBert encoder(config);
    const torch::Tensor y
        = encoder.forward(expected.tensors.at("in.wav"), expected.tensors.at("in.lengths"));
    QVERIFY(!y.requires_grad());
    QCOMPARE(y.sizes().vec(), expected.tensors.at("out.y").sizes().vec());
    const double apart = (y - expected.tensors.at("out.y")).abs().max().item<double>();
    QVERIFY2(apart < 5e-4, std::to_string(apart).c_str());
}

void TstPretrained::bertWithoutConvolutions_cannotFreezeThem()
{
    catalog::PretrainedBertConfig config;
    config.source = (kHub / "bert").string();
    config.freeze = false;
    config.freezeFeatureExtractor = true;
    try {
        PretrainedBert encoder(config);
        QFAIL("built");
    } catch (const c10::Error& error) {
        const QString message = error.what_without_backtrace();
        QVERIFY2(message.contains("leave out freeze_feature_extractor"), qPrintable(message));
    }
}

void TstPretrained::headOfCtc_isToldAndLeftOut()
{
    const PretrainedEncoder encoder(sourceOf("ctc"));
    QCOMPARE(encoder.told().size(), size_t { 1 });
    QCOMPARE(QString::fromStdString(encoder.told().front()),
        "the encoder has no use for lm_head.bias, lm_head.weight of the checkpoint: they are left "
        "out");
    QVERIFY(PretrainedEncoder(sourceOf("sharded")).told().empty());
}

void TstPretrained::recipe_buildsIt()
{
    QVERIFY(kIsRegistered);
    const auto layer = tests::layerOf(std::string("x: !new:") + kWrapper + "\n    source: "
        + (kHub / "sharded").string() + "\n    save_path: nowhere\n    output_norm: True\n");
    layer->eval();
    const TensorFile expected = hubExpected("sharded");
    const torch::Tensor y
        = layer->forward(expected.tensors.at("in.wav"), expected.tensors.at("in.lengths"));
    const torch::Tensor& plain = expected.tensors.at("out.y");
    QVERIFY(
        torch::allclose(y, at::layer_norm(plain, { plain.size(1), plain.size(2) }), 1e-4, 1e-4));
}

void TstPretrained::upstreamsNames_buildIt_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("folder");
    const auto row = [](const std::string& name, const char* folder) {
        QTest::newRow(name.c_str()) << name << std::string(folder);
    };
    for (const std::string package : { "speechbrain.integrations.huggingface.",
             "speechbrain.lobes.models.huggingface_transformers." }) {
        for (const char* name : { "wav2vec2.Wav2Vec2", "hubert.HuBERT", "wavlm.WavLM", "Wav2Vec2" })
            row(package + name, "ctc");
        row(package + "w2v_bert.W2VBert", "bert");
    }
}

void TstPretrained::upstreamsNames_buildIt()
{
    QFETCH(std::string, name);
    QFETCH(std::string, folder);
    const auto layer = tests::layerOf("x: !new:" + name
        + "\n    source: " + (kHub / folder).string() + "\n    save_path: nowhere\n");
    const auto pretrained = std::dynamic_pointer_cast<PretrainedLayer>(layer);
    QVERIFY(pretrained);
    QVERIFY(pretrained->dropsLayers() != (folder == "bert")); // which is frozen unless asked
}

void TstPretrained::unknownSource_saysWhatToFetch()
{
    const auto found = findHubFolder("nobody/nothing", "nowhere");
    QCOMPARE(messageOf(found),
        "'nobody/nothing' is no folder and not in the Hub's cache of this machine. Fetch "
        "config.json, preprocessor_config.json and model.safetensors (or pytorch_model.bin) from "
        "https://huggingface.co/nobody/nothing into a folder, and write its path as the source");
    const QString ofWhisper
        = messageOf(findHubFolder("nowhere", "nowhere", settings::HubKind::Whisper));
    QVERIFY2(ofWhisper.contains("tokenizer.json (or vocab.json and merges.txt) and normalizer.json")
            && ofWhisper.endsWith("such as openai/whisper-tiny"),
        qPrintable(ofWhisper));
}

void TstPretrained::cacheOfTheHub_isFound()
{
    const QTemporaryDir temporary;
    const std::filesystem::path savePath = temporary.path().toStdString();
    const std::filesystem::path entry = savePath / "models--some--model";
    copy("ctc", entry / "snapshots" / "abc");
    auto found = findHubFolder("some/model", savePath);
    QVERIFY2(found, qPrintable(messageOf(found)));
    QCOMPARE(*found, entry / "snapshots" / "abc");

    // Of several, the one that the branch names.
    copy("mms", entry / "snapshots" / "def");
    QVERIFY(!findHubFolder("some/model", savePath));
    std::filesystem::create_directories(entry / "refs");
    QVERIFY(writeFileAtomically(entry / "refs" / "main", "def"));
    found = findHubFolder("some/model", savePath);
    QVERIFY2(found, qPrintable(messageOf(found)));
    QCOMPARE(*found, entry / "snapshots" / "def");
    QVERIFY(readHubFolder(*found));
}

void TstPretrained::brokenFolder_isRefused_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content"); // "" removes it
    QTest::addColumn<QString>("message"); // a part of it
    QTest::newRow("no config") << "ctc"
                               << "config.json"
                               << ""
                               << "config.json': No such file";
    QTest::newRow("no extractor") << "ctc"
                                  << "preprocessor_config.json"
                                  << ""
                                  << "the model's input)";
    QTest::newRow("extractor") << "ctc"
                               << "preprocessor_config.json"
                               << "{'do_normalize': 3}"
                               << "member 'do_normalize' has the wrong type";
    QTest::newRow("no weights") << "ctc"
                                << "model.safetensors"
                                << ""
                                << "holds no weights: put model.safetensors";
    QTest::newRow("no part") << "sharded"
                             << "model-00002-of-00003.safetensors"
                             << ""
                             << "model-00002-of-00003.safetensors': No such file";
    QTest::newRow("part elsewhere") << "sharded"
                                    << "model.safetensors.index.json"
                                    << "{'weight_map': {'x': '../model.safetensors'}}"
                                    << "is not the name of a file";
    QTest::newRow("name in no part") << "sharded"
                                     << "model.safetensors.index.json"
                                     << "{'weight_map': {'x': 'model-00001-of-00003.safetensors'}}"
                                     << "'x' is not in 'model-00001-of-00003.safetensors'";
}

void TstPretrained::brokenFolder_isRefused()
{
    QFETCH(QString, folder);
    QFETCH(QString, file);
    QFETCH(QString, content);
    QFETCH(QString, message);
    const QTemporaryDir temporary;
    const std::filesystem::path path = temporary.path().toStdString();
    copy(folder.toUtf8().constData(), path);
    if (content.isEmpty())
        QVERIFY(std::filesystem::remove(path / file.toStdString()));
    else
        QVERIFY(writeFileAtomically(path / file.toStdString(), asJson(content.toStdString())));
    const QString refusal = messageOf(readHubFolder(path));
    QVERIFY2(refusal.contains(message), qPrintable(refusal));
}

void TstPretrained::config_isRefused_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("message");
    QTest::newRow("no model") << "{}"
                              << "'model_type' is missing";
    QTest::newRow("text model") << "{'model_type': 'bert'}"
                                << "member 'model_type' must be wav2vec2, hubert, wavlm, "
                                   "data2vec-audio or wav2vec2-bert, not 'bert'";
    QTest::newRow("heads") << "{'model_type': 'hubert', 'num_attention_heads': 7}"
                           << "member 'hidden_size' must be a multiple of num_attention_heads";
    QTest::newRow("kernels") << "{'model_type': 'wavlm', 'conv_kernel': [3]}"
                             << "member 'conv_dim' must be as many sizes of 1 or more as "
                                "conv_kernel and conv_stride have";
    QTest::newRow("activation") << "{'model_type': 'wavlm', 'hidden_act': 'gelu_new'}"
                                << "member 'hidden_act' must be gelu, relu, silu or swish, not "
                                   "'gelu_new': Earwright computes no other";
    QTest::newRow("adapter")
        << "{'model_type': 'wav2vec2', 'add_adapter': true}"
        << "member 'add_adapter' must be false: Earwright computes the adapter "
           "behind the last layer of w2v-BERT alone";
}

void TstPretrained::config_isRefused()
{
    QFETCH(QString, json);
    QFETCH(QString, message);
    QCOMPARE(refusalOf(json.toStdString()), message);
}

void TstPretrained::frozen_staysInEvaluation()
{
    catalog::PretrainedEncoderConfig config;
    config.freeze = true;
    PretrainedEncoder encoder(config, smallConfig(", 'layerdrop': 0.9"), true);
    QCOMPARE(encoder.told().size(), size_t { 1 });
    const torch::Tensor wav = torch::randn({ 2, 200 });
    const torch::Tensor evaluated = (encoder.eval(), encoder.forward(wav));
    encoder.train();
    QVERIFY(encoder.is_training() && !encoder.model().is_training());
    QVERIFY(torch::equal(encoder.forward(wav), evaluated));
    QVERIFY(!encoder.forward(wav).requires_grad());
    for (const torch::Tensor& parameter : encoder.parameters())
        QVERIFY(!parameter.requires_grad());
}

void TstPretrained::frozenConvolutions_haveNoGradients()
{
    catalog::PretrainedEncoderConfig config;
    config.freezeFeatureExtractor = true;
    PretrainedEncoder encoder(config, smallConfig(", 'layerdrop': 0"), true);
    encoder.forward(torch::randn({ 2, 200 })).sum().backward();
    for (const auto& parameter : encoder.named_parameters()) {
        const bool isConvolution = parameter.key().starts_with("model.feature_extractor.");
        QCOMPARE(parameter.value().requires_grad(), !isConvolution);
        QVERIFY(!isConvolution || !parameter.value().grad().defined());
    }
}

void TstPretrained::masking_isTrainingsAlone()
{
    const EncoderConfig small
        = smallConfig(", 'layerdrop': 0, 'mask_time_prob': 0.5, 'mask_time_length': 2");
    catalog::PretrainedEncoderConfig config;
    PretrainedEncoder plain(config, small, true);
    const torch::Tensor wav = torch::randn({ 2, 400 });
    const torch::Tensor trained = plain.forward(wav);
    QVERIFY(torch::equal((plain.eval(), plain.forward(wav)), trained));

    config.applySpecAugment = true;
    PretrainedEncoder masking(config, small, true);
    const auto drawn = [&] {
        torch::manual_seed(3);
        return masking.forward(wav);
    };
    const torch::Tensor masked = drawn();
    QVERIFY(torch::equal(drawn(), masked));
    masking.eval();
    QVERIFY(!torch::allclose(masking.forward(wav), masked));
}

void TstPretrained::layerdrop_keepsTheListOfHidden()
{
    WaveEncoder encoder(smallConfig(", 'layerdrop': 1, 'mask_time_prob': 0"));
    encoder.train();
    const LayerChoice choice(7);
    const WaveEncoder::Output output
        = encoder.forward({ .wav_BN = torch::randn({ 1, 300 }), .keepHidden = true });
    QCOMPARE(output.layers.hidden_BTD.size(), size_t { 4 });
    QVERIFY(torch::equal(output.layers.hidden_BTD.back(), output.layers.hidden_BTD.front()));
}

void TstPretrained::layerdrop_keepsTheFirstLayerOfWavLm()
{
    EncoderConfig config = smallConfig(", 'layerdrop': 1, 'mask_time_prob': 0");
    config.family = EncoderFamily::WavLm;
    WaveEncoder encoder(config);
    encoder.train();
    const LayerChoice choice(7);
    const WaveEncoder::Output output
        = encoder.forward({ .wav_BN = torch::randn({ 1, 300 }), .keepHidden = true });
    const std::vector<torch::Tensor>& hidden_BTD = output.layers.hidden_BTD;
    QVERIFY(!torch::equal(hidden_BTD[1], hidden_BTD[0]));
    QVERIFY(torch::equal(hidden_BTD.back(), hidden_BTD[1]));
}

void TstPretrained::missingMaskVector_isTold()
{
    WaveEncoder encoder(smallConfig());
    HubWeights weights;
    for (const auto& parameter : encoder.named_parameters())
        if (parameter.key() != "masked_spec_embed")
            weights.tensors[parameter.key()] = parameter.value().detach().clone();
    const Result<Names> told = loadHubWeights(encoder, weights);
    QVERIFY2(told, qPrintable(messageOf(told)));
    QCOMPARE(told->size(), size_t { 1 });
    QVERIFY(told->front().starts_with("the weights lack masked_spec_embed"));

    weights.tensors.erase("encoder.layer_norm.bias");
    QCOMPARE(
        messageOf(loadHubWeights(encoder, weights)), "the weights lack encoder.layer_norm.bias");
    weights.tensors["encoder.layer_norm.bias"] = torch::zeros({ 3 });
    QCOMPARE(messageOf(loadHubWeights(encoder, weights)),
        "'encoder.layer_norm.bias' is stored as [3], but config.json makes it [16]");
}

EARWRIGHT_TEST(TstPretrained)
#include "tst_pretrained.moc"
