#include "core/model/whisper/whisper.h"

#include "core/model/transformer/layer_drop.h"
#include "tests/registry.h"

#include <algorithm>
#include <functional>
#include <QTest>
#include <torch/utils.h>

using namespace earwright;
using namespace earwright::model;

namespace {

std::string doubleQuoted(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

/// Small, without dropout. more: ", 'dropout': 0.1".
WhisperSizes smallWhisper(const std::string& more = "")
{
    const Result<WhisperSizes> sizes = parseWhisperConfig(
        doubleQuoted("{'model_type': 'whisper', 'd_model': 8, 'num_mel_bins': 6, 'vocab_size': 20, "
                     "'encoder_layers': 3, 'decoder_layers': 3, 'encoder_attention_heads': 2, "
                     "'decoder_attention_heads': 2, 'encoder_ffn_dim': 12, 'decoder_ffn_dim': 12, "
                     "'max_source_positions': 10, 'max_target_positions': 9, 'pad_token_id': 0"
            + more + "}"));
    if (!sizes)
        qFatal("%s", sizes.error().message.c_str());
    return *sizes;
}

torch::Tensor smallMel()
{
    return torch::randn({ 2, 6, 20 });
}

/// Of a call that must throw.
QString thrownBy(const std::function<void()>& call)
{
    try {
        call();
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    }
    return "no error";
}

} // namespace

/// Whisper in training and evaluation, and its features.
class TstWhisper final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { torch::manual_seed(1); }
    void frozen_staysInEvaluation();
    void frozenEncoder_letsTheDecoderTrain();
    void positions_areTrained();
    void masking_isTrainingsAlone();
    void rowsApart_knowNothingOfEachOther();
    void dropout_isTrainingsAlone();
    void layerdrop_isTold();
    void paddingToken_isNotTrainedAsInput();
    void longText_isRefused();
    void silenceBehind_changesNothing();
    void loudest_isOfBatchOrRow();
};

void TstWhisper::frozen_staysInEvaluation()
{
    catalog::WhisperConfig config;
    config.freeze = true;
    Whisper whisper(config, smallWhisper(", 'dropout': 0.5, 'encoder_layerdrop': 0.9"));
    QCOMPARE(whisper.told().size(), size_t { 1 });
    const torch::Tensor mel = smallMel();
    const torch::Tensor tokens = torch::tensor({ { 1, 2 }, { 1, 3 } });
    const torch::Tensor evaluated = (whisper.eval(), whisper.logits(whisper.encode(mel), tokens));
    whisper.train();
    const torch::Tensor trained = whisper.logits(whisper.encode(mel), tokens);
    QVERIFY(torch::equal(trained, evaluated) && !trained.requires_grad());
    QVERIFY(!whisper.dropsLayers());
    for (const torch::Tensor& parameter : whisper.parameters())
        QVERIFY(!parameter.requires_grad());
}

void TstWhisper::frozenEncoder_letsTheDecoderTrain()
{
    catalog::WhisperConfig config;
    config.freezeEncoder = true;
    Whisper whisper(config, smallWhisper(", 'dropout': 0.5"));
    QCOMPARE(QString::fromStdString(whisper.told().front()),
        "the encoder is frozen: it gets no gradients and no dropout (SpeechBrain's training leaves "
        "its dropout on)");
    whisper.train();
    const torch::Tensor mel = smallMel();
    const torch::Tensor frames = whisper.encode(mel);
    QVERIFY(torch::equal(whisper.encode(mel), frames) && !frames.requires_grad());
    const torch::Tensor tokens = torch::tensor({ { 1, 2 }, { 1, 3 } });
    const torch::Tensor logits = whisper.logits(frames, tokens);
    QVERIFY(!torch::equal(whisper.logits(frames, tokens), logits)); // its dropout
    logits.sum().backward();
    for (const auto& parameter : whisper.named_parameters()) {
        const bool isEncoder = parameter.key().starts_with("model.encoder.");
        QVERIFY2(parameter.value().grad().defined() != isEncoder, parameter.key().c_str());
    }
}

/// As upstream's wrapper has it; the model alone freezes those of its encoder.
void TstWhisper::positions_areTrained()
{
    Whisper whisper({}, smallWhisper());
    QVERIFY(whisper.model().encoder().positions_TD().requires_grad());
    QVERIFY(!WhisperModel(smallWhisper()).encoder().positions_TD().requires_grad());
}

void TstWhisper::masking_isTrainingsAlone()
{
    const WhisperSizes sizes = smallWhisper(", 'apply_spec_augment': true, 'mask_time_prob': 0.5, "
                                            "'mask_time_length': 2, 'mask_feature_prob': 0.3, "
                                            "'mask_feature_length': 2");
    Whisper whisper({}, sizes);
    QVERIFY(whisper.told().front().starts_with("apply_spec_augment"));
    const torch::Tensor mel = smallMel();
    const torch::Tensor before = mel.clone();
    const torch::Tensor evaluated = (whisper.eval(), whisper.encode(mel));
    whisper.train();
    QVERIFY(!torch::equal(whisper.encode(mel), evaluated));
    QVERIFY(torch::equal(mel, before)); // the caller's own
    whisper.eval();
    QVERIFY(torch::equal(whisper.encode(mel), evaluated));
}

void TstWhisper::dropout_isTrainingsAlone()
{
    for (const char* rate : { "dropout", "attention_dropout", "activation_dropout" }) {
        Whisper whisper({}, smallWhisper(std::string(", '") + rate + "': 0.5"));
        const torch::Tensor mel = smallMel();
        const torch::Tensor evaluated = (whisper.eval(), whisper.encode(mel));
        QVERIFY2(torch::equal(whisper.encode(mel), evaluated), rate);
        whisper.train();
        QVERIFY2(!torch::equal(whisper.encode(mel), evaluated), rate);
    }
}

void TstWhisper::layerdrop_isTold()
{
    const auto drops = [](const std::string& stack, bool freezeEncoder, bool encoderOnly) {
        catalog::WhisperConfig config;
        config.freezeEncoder = freezeEncoder;
        config.encoderOnly = encoderOnly;
        return Whisper(config, smallWhisper(", '" + stack + "_layerdrop': 0.5")).dropsLayers();
    };
    QVERIFY(drops("encoder", false, false) && drops("encoder", false, true));
    QVERIFY(!drops("encoder", true, false));
    QVERIFY(drops("decoder", true, false) && !drops("decoder", false, true));

    // All layers are left out.
    Whisper whisper({}, smallWhisper(", 'encoder_layerdrop': 1"));
    const torch::Tensor mel = smallMel();
    const LayerOutputs outputs = whisper.model().encode(mel, true);
    QCOMPARE(outputs.hidden_BTD.size(), size_t { 4 });
    QVERIFY(torch::equal(outputs.hidden_BTD[0], outputs.hidden_BTD[2]));
    const LayerChoice none;
    QVERIFY(!torch::equal(whisper.model().encode(mel).last_BTD, outputs.last_BTD));
}

void TstWhisper::paddingToken_isNotTrainedAsInput()
{
    Whisper whisper({}, smallWhisper());
    WhisperDecoder& decoder = whisper.model().decoder();
    const torch::Tensor frames = torch::randn({ 1, 10, 8 });
    decoder.forward(torch::tensor({ { 3, 0 } }), frames, false).last_BTD.square().sum().backward();
    const torch::Tensor gradient
        = whisper.named_parameters()["model.decoder.embed_tokens.weight"].grad();
    QVERIFY(!gradient[0].any().item<bool>());
    QVERIFY(gradient[3].any().item<bool>());
}

void TstWhisper::longText_isRefused()
{
    Whisper whisper({}, smallWhisper());
    const torch::Tensor tokens = torch::ones({ 1, 10 }, torch::kLong);
    const torch::Tensor frames = torch::randn({ 1, 10, 8 });
    QVERIFY(whisper.logits(frames, tokens.narrow(1, 0, 9)).defined());
    const QString error = thrownBy([&] { whisper.logits(frames, tokens); });
    QVERIFY2(error.contains("a text of 10 tokens, prompt included, is longer than the 9"),
        qPrintable(error));
    const QString mel = thrownBy([&] { whisper.encode(torch::randn({ 1, 6, 18 })); });
    QVERIFY2(mel.contains("Whisper takes 20 mel frames, not 18"), qPrintable(mel));
}

/// Frames of the silence are not computed; they must be what they would be.
void TstWhisper::silenceBehind_changesNothing()
{
    LogMel features(20);
    for (const int64_t samples : { 1, 160, 9999, 479700 }) {
        const torch::Tensor wav = torch::randn({ 1, samples });
        const torch::Tensor padded = torch::constant_pad_nd(wav, { 0, LogMel::kSamples - samples });
        const torch::Tensor mel = features.of(wav, LogMel::Loudest::OfRow);
        QCOMPARE(mel.size(2), LogMel::kFrames);
        QVERIFY(torch::allclose(mel, features.ofWhole(padded, LogMel::Loudest::OfRow), 0, 1e-6));
    }
    const torch::Tensor wav = torch::randn({ 1, LogMel::kSamples + 5000 });
    QVERIFY(torch::equal(features.of(wav, LogMel::Loudest::OfRow),
        features.ofWhole(wav.narrow(1, 0, LogMel::kSamples), LogMel::Loudest::OfRow)));
}

void TstWhisper::loudest_isOfBatchOrRow()
{
    LogMel features(20);
    const torch::Tensor wavs = torch::randn({ 2, 16000 }) * torch::tensor({ { 1.F }, { 1e-3F } });
    const torch::Tensor ofRow = features.of(wavs, LogMel::Loudest::OfRow);
    const torch::Tensor ofBatch = features.of(wavs, LogMel::Loudest::OfBatch);
    const torch::Tensor quietAlone = features.of(wavs.narrow(0, 1, 1), LogMel::Loudest::OfBatch);
    QVERIFY(torch::allclose(ofRow[1], quietAlone[0], 0, 1e-5));
    QVERIFY(torch::equal(ofRow[0], ofBatch[0]));
    QVERIFY(ofBatch[1].min().item<float>() > ofRow[1].min().item<float>());
}

void TstWhisper::rowsApart_knowNothingOfEachOther()
{
    Whisper whisper(catalog::WhisperConfig(), smallWhisper());
    const torch::Tensor loud_1N = torch::randn({ 1, 4000 });
    const torch::Tensor quiet_1N = loud_1N * 1e-3;
    const auto heard = [&] {
        return whisper.mel(torch::cat({ loud_1N, quiet_1N })).narrow(0, 1, 1);
    };
    QVERIFY(!torch::allclose(heard(), whisper.mel(quiet_1N), 0, 1e-3));
    whisper.keepRowsApart();
    QVERIFY(torch::allclose(heard(), whisper.mel(quiet_1N), 0, 1e-5));
}

EARWRIGHT_TEST(TstWhisper)
#include "tst_whisper.moc"
