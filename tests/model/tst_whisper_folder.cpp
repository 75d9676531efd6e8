#include "core/model/whisper/whisper.h"

#include "core/base/file.h"
#include "core/catalog/read.h"
#include "core/model/tensor_file.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

#include <algorithm>
#include <functional>
#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

using namespace earwright;
using namespace earwright::model;

namespace {

const std::filesystem::path kSaved = EARWRIGHT_CASES_DIR "/model/hub/whisper";
constexpr int64_t kEvery = 25; ///< of so many frames one is in expected.safetensors

catalog::WhisperConfig savedConfig()
{
    catalog::WhisperConfig config;
    config.source = kSaved.string();
    return config;
}

const torch::Tensor& recorded(const std::string& name)
{
    static const Result<TensorFile> file = readTensorFile(kSaved / "expected.safetensors");
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return file->tensors.at(name);
}

torch::Tensor thinned(const torch::Tensor& x, int64_t dimension)
{
    return x.slice(dimension, 0, x.size(dimension), kEvery);
}

/// "" where they agree.
std::string apartFrom(const torch::Tensor& actual, const torch::Tensor& expected)
{
    if (actual.sizes() != expected.sizes())
        return "other sizes";
    const double most = (actual - expected).abs().max().item<double>();
    return most < 1e-4 ? "" : std::to_string(most);
}

std::string inDoubleQuotes(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

QString whisperError(const auto& result)
{
    return result ? QString("no error") : QString::fromStdString(result.error().message);
}

/// Of a call that must throw.
QString refusedBy(const std::function<void()>& call)
{
    try {
        call();
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    }
    return "no error";
}

void copySaved(const std::filesystem::path& to)
{
    for (const auto& file : std::filesystem::directory_iterator(kSaved))
        std::filesystem::copy_file(file.path(), to / file.path().filename());
}

} // namespace

/// A folder that `transformers` saved, and SpeechBrain's wrapper of it.
class TstWhisperFolder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void savedFolder_givesUpstreamsLogits();
    void allHiddens_areUpstreams();
    void encoderOnly_hasNoDecoder();
    void upstreamsNames_buildIt_data();
    void upstreamsNames_buildIt();
    void sampleRate_isWhispersAlone();
    void brokenFolder_isRefused_data();
    void brokenFolder_isRefused();
    void ownOutputLayer_isRefused();
    void config_isRefused_data();
    void config_isRefused();
};

void TstWhisperFolder::savedFolder_givesUpstreamsLogits()
{
    const torch::NoGradGuard noGrad;
    Whisper whisper(savedConfig());
    whisper.eval();
    QVERIFY(whisper.told().empty());
    QCOMPARE(whisper.folder(), kSaved);
    const torch::Tensor mel = whisper.mel(recorded("in.wav"));
    QCOMPARE(apartFrom(thinned(mel, 2), recorded("out.mel")), "");
    const torch::Tensor frames = whisper.encode(mel);
    QCOMPARE(apartFrom(thinned(frames, 1), recorded("out.frames")), "");
    const torch::Tensor logits = whisper.logits(frames, recorded("in.tokens"));
    QCOMPARE(apartFrom(logits, recorded("out.logits")), "");
    QVERIFY(torch::equal(whisper.forward(recorded("in.wav")), frames));
}

void TstWhisperFolder::allHiddens_areUpstreams()
{
    const torch::NoGradGuard noGrad;
    catalog::WhisperConfig config = savedConfig();
    config.outputAllHiddens = true;
    Whisper whisper(config);
    whisper.eval();
    const torch::Tensor hidden = whisper.forward(recorded("in.wav"));
    QCOMPARE(apartFrom(thinned(hidden, 2), recorded("out.hidden")), "");
    QCOMPARE(apartFrom(whisper.logits(hidden, recorded("in.tokens")), recorded("out.logits")), "");
}

void TstWhisperFolder::encoderOnly_hasNoDecoder()
{
    const torch::NoGradGuard noGrad;
    catalog::WhisperConfig config = savedConfig();
    config.encoderOnly = true;
    Whisper whisper(config);
    whisper.eval();
    QVERIFY(whisper.told().empty());
    for (const auto& parameter : whisper.named_parameters())
        QVERIFY2(parameter.key().starts_with("model.encoder."), parameter.key().c_str());
    const torch::Tensor frames = whisper.forward(recorded("in.wav"));
    QCOMPARE(apartFrom(thinned(frames, 1), recorded("out.frames")), "");
    const QString error = refusedBy([&] { whisper.logits(frames, recorded("in.tokens")); });
    QVERIFY2(error.contains("leave out encoder_only"), qPrintable(error));
}

void TstWhisperFolder::upstreamsNames_buildIt_data()
{
    QTest::addColumn<std::string>("name");
    for (const std::string name : { "speechbrain.integrations.huggingface.whisper.Whisper",
             "speechbrain.integrations.huggingface.Whisper",
             "speechbrain.lobes.models.huggingface_transformers.whisper.Whisper" })
        QTest::newRow(name.c_str()) << name;
}

void TstWhisperFolder::upstreamsNames_buildIt()
{
    QFETCH(std::string, name);
    const auto layer = tests::layerOf("x: !new:" + name + "\n    source: " + kSaved.string()
        + "\n    save_path: nowhere\n    freeze_encoder: True\n    language: german\n");
    const auto whisper = std::dynamic_pointer_cast<Whisper>(layer);
    QVERIFY(whisper);
    QVERIFY(whisper->config().freezeEncoder);
    QCOMPARE(whisper->config().language.value_or(""), "german");
    QCOMPARE(whisper->sizes().vocabulary, 60);
}

/// As all that Earwright does not compute.
void TstWhisperFolder::sampleRate_isWhispersAlone()
{
    const recipe::Resolved resolved
        = recipe::resolve("x: !new:speechbrain.integrations.huggingface.whisper.Whisper\n"
                          "    source: a\n    save_path: b\n    sampling_rate: 8000\n",
            "t.yaml", {});
    std::vector<recipe::Diagnostic> diagnostics;
    catalog::readConfig<catalog::WhisperConfig>(*recipe::find(*resolved.root, "x"), diagnostics);
    QCOMPARE(diagnostics.size(), size_t { 1 });
    QVERIFY(QString::fromStdString(diagnostics.front().message).contains("sampling_rate"));
}

void TstWhisperFolder::brokenFolder_isRefused_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content"); // "" removes it
    QTest::addColumn<QString>("message"); // a part of it
    QTest::newRow("no config") << "config.json"
                               << ""
                               << "config.json': No such file";
    QTest::newRow("other length") << "config.json"
                                  << "{'model_type': 'whisper', 'max_source_positions': 750}"
                                  << "config.json': member 'max_source_positions' must be 1500, "
                                     "the frames of 30 s";
    QTest::newRow("other bins") << "preprocessor_config.json"
                                << "{'feature_size': 128}"
                                << "preprocessor_config.json': member 'feature_size' must be 80, "
                                   "num_mel_bins of config.json";
    QTest::newRow("other features") << "preprocessor_config.json"
                                    << "{'hop_length': 80}"
                                    << "member 'hop_length' must be 160: Earwright computes no "
                                       "other features of Whisper";
    QTest::newRow("dither") << "preprocessor_config.json"
                            << "{'dither': 0.1}"
                            << "member 'dither' must be 0";
    QTest::newRow("no weights") << "model.safetensors"
                                << ""
                                << "holds no weights: put model.safetensors";
}

void TstWhisperFolder::brokenFolder_isRefused()
{
    QFETCH(QString, file);
    QFETCH(QString, content);
    QFETCH(QString, message);
    const QTemporaryDir temporary;
    const std::filesystem::path path = temporary.path().toStdString();
    copySaved(path);
    QVERIFY(readWhisperFolder(path, false));
    if (content.isEmpty())
        QVERIFY(std::filesystem::remove(path / file.toStdString()));
    else
        QVERIFY(
            writeFileAtomically(path / file.toStdString(), inDoubleQuotes(content.toStdString())));
    const QString refusal = whisperError(readWhisperFolder(path, false));
    QVERIFY2(refusal.contains(message), qPrintable(refusal));
}

void TstWhisperFolder::ownOutputLayer_isRefused()
{
    const QTemporaryDir temporary;
    const std::filesystem::path path = temporary.path().toStdString();
    copySaved(path);
    Result<TensorFile> stored = readTensorFile(path / "model.safetensors");
    QVERIFY(stored);
    const torch::Tensor vectors = stored->tensors.at("model.decoder.embed_tokens.weight");
    stored->tensors["proj_out.weight"] = vectors.clone();
    QVERIFY(writeTensorFile(path / "model.safetensors", *stored));
    catalog::WhisperConfig config;
    config.source = path.string();
    QVERIFY(Whisper(config).told().empty());

    stored->tensors["proj_out.weight"] = vectors + 1;
    QVERIFY(writeTensorFile(path / "model.safetensors", *stored));
    const QString refusal = whisperError(readWhisperFolder(path, false));
    QVERIFY2(refusal.contains("'proj_out.weight' is not model.decoder.embed_tokens.weight"),
        qPrintable(refusal));

    stored->tensors.erase("proj_out.weight");
    stored->tensors.erase("model.encoder.conv1.bias");
    QVERIFY(writeTensorFile(path / "model.safetensors", *stored));
    const QString missing = refusedBy([&] { Whisper another(config); });
    QVERIFY2(missing.contains("the weights lack encoder.conv1.bias"), qPrintable(missing));
}

void TstWhisperFolder::config_isRefused_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QString>("message");
    QTest::newRow("model") << "'model_type': 'wav2vec2'"
                           << "member 'model_type' must be whisper, not 'wav2vec2'";
    QTest::newRow("heads") << "'decoder_attention_heads': 3, 'd_model': 8"
                           << "member 'd_model' must be a multiple of encoder_attention_heads";
    QTest::newRow("activation") << "'activation_function': 'gelu_new'"
                                << "member 'activation_function' must be gelu, relu, silu or "
                                   "swish, not 'gelu_new': Earwright computes no other";
    QTest::newRow("padding") << "'vocab_size': 100"
                             << "member 'pad_token_id' must be less than vocab_size, or null";
    QTest::newRow("own outputs") << "'tie_word_embeddings': false"
                                 << "member 'tie_word_embeddings' must be true: Earwright computes "
                                    "outputs by the vectors of the tokens alone";
    QTest::newRow("quantised") << "'quantization_config': {'bits': 4}"
                               << "member 'quantization_config' must be left out: Earwright reads "
                                  "no quantised weights, save the model without";
}

void TstWhisperFolder::config_isRefused()
{
    QFETCH(QString, member);
    QFETCH(QString, message);
    const std::string type = member.contains("model_type") ? "" : "'model_type': 'whisper', ";
    QCOMPARE(
        whisperError(parseWhisperConfig(inDoubleQuotes("{" + type + member.toStdString() + "}"))),
        message);
}

EARWRIGHT_TEST(TstWhisperFolder)
#include "tst_whisper_folder.moc"
