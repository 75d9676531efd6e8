#include "core/model/transformer/latent_encoder.h"

#include "core/model/torch_file.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

#include <QTest>
#include <torch/utils.h>

using namespace earwright;
using namespace earwright::model;
using namespace earwright::tests;

namespace {

const std::filesystem::path kOwn = EARWRIGHT_CASES_DIR "/model/own_encoder";
using Tensors = std::map<std::string, torch::Tensor>;

constexpr const char* kExtractor = "x: !new:speechbrain.lobes.models.wav2vec.W2VLatentExtractor\n"
                                   "    out_channels: [6, 6, 4]\n    kernel_sizes: [11, 3, 3]\n"
                                   "    strides: [5, 2, 2]\n";

/// As make.py has it, but for what `ofEncoder` and `ofWrapper` add.
std::string wrapperText(const std::string& ofEncoder, const std::string& ofWrapper = "")
{
    return "encoder: !new:speechbrain.lobes.models.transformer.Transformer.TransformerEncoder\n"
           "    num_layers: 2\n    nhead: 2\n    d_ffn: 12\n    d_model: 8\n"
        + ofEncoder
        + "x: !new:speechbrain.lobes.models.wav2vec.EncoderWrapper\n    in_dim: 4\n"
          "    embedding_dim: 8\n    latent_encoder: !ref <encoder>\n"
          "    dropout_encoder_input: 0.0\n"
        + ofWrapper;
}

Tensors ownFile(const std::string& name)
{
    Result<TensorFile> file = readWeights(kOwn / name);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return { file->tensors.begin(), file->tensors.end() };
}

/// Names must agree both ways.
std::shared_ptr<Layer> ownLayer(const std::string& recipe, const std::string& weights)
{
    const torch::NoGradGuard noGrad;
    const std::shared_ptr<Layer> layer = layerOf(recipe);
    Tensors stored = ownFile(weights);
    const auto take = [&](const auto& list) {
        for (const auto& item : list) {
            const auto found = stored.find(item.key());
            if (found == stored.end() || found->second.sizes() != item.value().sizes())
                qFatal("'%s' is not so in %s", item.key().c_str(), weights.c_str());
            item.value().copy_(found->second);
            stored.erase(found);
        }
    };
    take(layer->named_parameters());
    take(layer->named_buffers());
    if (!stored.empty())
        qFatal("no '%s' as in %s", stored.begin()->first.c_str(), weights.c_str());
    return layer;
}

QString differenceOf(
    const std::string& name, const torch::Tensor& actual, const torch::Tensor& expected)
{
    if (!actual.defined() || actual.sizes() != expected.sizes())
        return QString::fromStdString(name + " has another shape");
    const double most = (actual - expected).abs().max().item<double>();
    const double allowed = 1e-5 + 1e-4 * expected.abs().max().item<double>();
    return most <= allowed ? QString()
                           : QString::fromStdString(name + " differs by ") + QString::number(most);
}

} // namespace

/// SpeechBrain's own wav2vec 2.0 against what SpeechBrain computed: tests/cases/model/own_encoder.
class TstLatentEncoder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void upstreamsNumbers_areReproduced_data();
    void upstreamsNumbers_areReproduced();
    void maskVector_getsNoGradient();
    void otherWidth_isRefused();
    void arguments_areHeldToUpstreams_data();
    void arguments_areHeldToUpstreams();
    void droppedLayers_areSeen();
    void longUtterance_isRefusedInSeconds();
};

void TstLatentEncoder::upstreamsNumbers_areReproduced_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("arguments");
    QTest::newRow("norm before")
        << std::string("wav2vec")
        << std::string("    normalize_before: True\n    activation: !name:torch.nn.GELU\n");
    QTest::newRow("norm behind") << std::string("wav2vec_post") << std::string();
}

void TstLatentEncoder::upstreamsNumbers_areReproduced()
{
    QFETCH(std::string, name);
    QFETCH(std::string, arguments);
    const auto extractor = ownLayer(kExtractor, name + "_extractor.ckpt");
    const auto wrapper = ownLayer(wrapperText(arguments), name + "_encoder.ckpt");
    const Tensors expected = ownFile(name + ".safetensors");
    const torch::Tensor wav_BN = expected.at("in.wav").clone().set_requires_grad(true);
    const torch::Tensor latents_BTC = extractor->forward(wav_BN);
    const torch::Tensor frames_BTD = wrapper->forward(latents_BTC, expected.at("in.lengths"));
    (frames_BTD * expected.at("lossw")).sum().backward();
    QStringList failures { differenceOf("latents", latents_BTC, expected.at("out.latents")),
        differenceOf("embeddings", frames_BTD, expected.at("out.embeddings")),
        differenceOf("grad.wav", wav_BN.grad(), expected.at("grad.wav")) };
    size_t compared = 1;
    for (const auto& [key, layer] :
        { std::pair { "extractor", extractor }, { "encoder_wrapper", wrapper } })
        for (const auto& item : layer->named_parameters()) {
            const std::string full = std::string("grad.") + key + "." + item.key();
            const auto found = expected.find(full);
            if (found == expected.end())
                continue;
            failures << differenceOf(full, item.value().grad(), found->second);
            ++compared;
        }
    failures.removeAll(QString());
    QCOMPARE(failures, QStringList());
    QCOMPARE(compared + 5, expected.size()); // in.*, out.* and lossw beside the gradients
}

/// No frame of a fine-tuning is masked: upstream's optimizer never changes it either.
void TstLatentEncoder::maskVector_getsNoGradient()
{
    const auto wrapper = layerOf(wrapperText(""));
    QVERIFY(!wrapper->named_parameters()["mask_emb"].requires_grad());
    QVERIFY(wrapper->named_parameters()["input_projector.weight"].requires_grad());
}

void TstLatentEncoder::otherWidth_isRefused()
{
    std::string text = wrapperText("");
    text.replace(text.find("embedding_dim: 8"), 16, "embedding_dim: 6");
    const recipe::Resolved resolved = recipe::resolve(text, "t.yaml", {});
    std::vector<recipe::Diagnostic> found;
    QVERIFY(!LayerSet(found).get(*recipe::find(*resolved.root, "x")));
    QCOMPARE(found.front().message,
        std::string("embedding_dim is 6, but d_model of latent_encoder is 8: both are the width of "
                    "a frame"));
}

void TstLatentEncoder::arguments_areHeldToUpstreams_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const std::string& text, const char* message) {
        QTest::newRow(name) << text << QString(message);
    };
    row("lists", std::string(kExtractor) + "    conv_init: zero\n    dropout: 2\n", "'dropout'");
    row("other lengths",
        "x: !new:speechbrain.lobes.models.wav2vec.W2VLatentExtractor\n    strides: [5, 2]\n",
        "'strides' of W2VLatentExtractor must be as many numbers as 'out_channels' has, 7, not 2");
    row("positions",
        wrapperText("",
            "    positional_encoding: !name:speechbrain.lobes.models.transformer.Transformer."
            "RelPosEncXL\n"),
        "'positional_encoding' of EncoderWrapper must be !name:speechbrain.lobes.models."
        "transformer.Transformer.PositionalEncoding without arguments, or left out");
    row("attention", wrapperText("    attention_type: RoPEMHA\n"),
        "'attention_type' of TransformerEncoder must be regularMHA, not RoPEMHA");
}

void TstLatentEncoder::arguments_areHeldToUpstreams()
{
    QFETCH(std::string, text);
    QFETCH(QString, message);
    const recipe::Resolved resolved = recipe::resolve(text, "t.yaml", {});
    std::vector<recipe::Diagnostic> found;
    QVERIFY(!LayerSet(found).get(*recipe::find(*resolved.root, "x")));
    QVERIFY2(QString::fromStdString(found.front().message).contains(message),
        found.front().message.c_str());
}

/// The ranks would wait for the gradients of their weights.
void TstLatentEncoder::droppedLayers_areSeen()
{
    QVERIFY(!dropsLayers(*layerOf(wrapperText(""))));
    QVERIFY(dropsLayers(*layerOf(wrapperText("    layerdrop_prob: 0.1\n"))));
}

void TstLatentEncoder::longUtterance_isRefusedInSeconds()
{
    const auto wrapper = layerOf(wrapperText(""));
    const torch::NoGradGuard noGrad;
    QString message;
    try {
        wrapper->forward(torch::zeros({ 1, 2501, 4 }));
    } catch (const c10::Error& error) {
        message = error.what_without_backtrace();
    }
    QVERIFY2(
        message.contains("2501 frames, and 'encoder_wrapper' has positions for 2500, which "
                         "with the usual 50 frames a second are 50 s: leave longer ones out by "
                         "avoid_if_longer_than"),
        qPrintable(message));
}

EARWRIGHT_TEST(TstLatentEncoder)
#include "tst_latent_encoder.moc"
