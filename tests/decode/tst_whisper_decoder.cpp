#include "core/decode/whisper_decoder.h"

#include "tests/registry.h"

#include <QTest>
#include <torch/utils.h>

using namespace earwright;

namespace {

std::shared_ptr<model::Whisper> tinyWhisper(bool outputAllHiddens = false)
{
    model::WhisperSizes sizes;
    sizes.width = 16;
    sizes.mels = 6;
    sizes.vocabulary = 30;
    sizes.padToken = 0;
    sizes.encoder = { .positions = 12, .layers = 2, .heads = 2, .innerWidth = 20 };
    sizes.decoder = { .positions = 10, .layers = 3, .heads = 2, .innerWidth = 20 };
    catalog::WhisperConfig config;
    config.outputAllHiddens = outputAllHiddens;
    torch::manual_seed(1);
    const auto whisper = std::make_shared<model::Whisper>(config, sizes);
    whisper->eval();
    return whisper;
}

/// Of the last of tokens_NU, computed without a cache.
torch::Tensor wholeLogits(
    model::Whisper& whisper, const torch::Tensor& encoder_BTD, const torch::Tensor& tokens_NU)
{
    const torch::NoGradGuard noGrad;
    const int64_t beams = tokens_NU.size(0) / encoder_BTD.size(0);
    return whisper.logits(encoder_BTD.repeat_interleave(beams, 0), tokens_NU).select(1, -1);
}

bool agree(const torch::Tensor& a, const torch::Tensor& b)
{
    return torch::allclose(a, b, 1e-4, 1e-5);
}

} // namespace

/// Whisper's decoder a token at a time against the whole text at once.
class TstWhisperDecoder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_whisper = tinyWhisper();
        m_encoder_BTD = torch::randn({ 2, 12, 16 });
    }
    void tokens_oneByOne();
    void prompt_comesFirst();
    void promptOfEachRow_comesFirst();
    void beams_moveWithTheirTexts();
    void newBatch_forgetsTheOne();
    void allHiddens_giveTheirLast();

private:
    std::shared_ptr<model::Whisper> m_whisper;
    torch::Tensor m_encoder_BTD;
};

void TstWhisperDecoder::tokens_oneByOne()
{
    const torch::Tensor tokens_BU = torch::randint(1, 30, { 2, 5 }, torch::kLong);
    decode::WhisperStepDecoder decoder(m_whisper);
    decoder.start(m_encoder_BTD, {}, 1);
    for (int64_t i = 0; i < 5; ++i) {
        const torch::Tensor logits_NV = decoder.next(tokens_BU.select(1, i));
        QVERIFY(!logits_NV.requires_grad());
        QVERIFY(agree(
            logits_NV, wholeLogits(*m_whisper, m_encoder_BTD, tokens_BU.narrow(1, 0, i + 1))));
    }
}

void TstWhisperDecoder::prompt_comesFirst()
{
    decode::WhisperStepDecoder decoder(m_whisper);
    decoder.setPrompt(torch::tensor({ 4, 5, 6 }));
    decoder.start(m_encoder_BTD, {}, 1);
    const torch::Tensor tokens_BU = torch::tensor({ { 4, 5, 6, 7 }, { 4, 5, 6, 8 } });
    QVERIFY(agree(
        decoder.next(tokens_BU.select(1, 3)), wholeLogits(*m_whisper, m_encoder_BTD, tokens_BU)));
    decoder.setPrompt({});
    decoder.start(m_encoder_BTD, {}, 1);
    const torch::Tensor alone_B1 = tokens_BU.narrow(1, 3, 1);
    QVERIFY(agree(
        decoder.next(alone_B1.select(1, 0)), wholeLogits(*m_whisper, m_encoder_BTD, alone_B1)));
}

void TstWhisperDecoder::promptOfEachRow_comesFirst()
{
    decode::WhisperStepDecoder decoder(m_whisper);
    decoder.setPrompt(torch::tensor({ { 4, 5 }, { 6, 7 } }));
    decoder.start(m_encoder_BTD, {}, 2);
    const torch::Tensor tokens_NU
        = torch::tensor({ { 4, 5, 1 }, { 4, 5, 2 }, { 6, 7, 3 }, { 6, 7, 1 } });
    QVERIFY(agree(
        decoder.next(tokens_NU.select(1, 2)), wholeLogits(*m_whisper, m_encoder_BTD, tokens_NU)));
}

void TstWhisperDecoder::beams_moveWithTheirTexts()
{
    decode::WhisperStepDecoder decoder(m_whisper);
    decoder.setPrompt(torch::tensor({ 4, 5 }));
    decoder.start(m_encoder_BTD, {}, 2);
    torch::Tensor tokens_NU = torch::tensor({ { 4, 5, 1 }, { 4, 5, 2 }, { 4, 5, 3 }, { 4, 5, 6 } });
    decoder.next(tokens_NU.select(1, 2));
    for (const std::vector<int64_t>& from :
        { std::vector<int64_t> { 1, 1, 3, 2 }, { 1, 0, 2, 2 }, { 0, 1, 3, 3 } }) {
        const torch::Tensor rows_N = torch::tensor(from);
        decoder.reorder(rows_N);
        const torch::Tensor next_N = torch::randint(1, 30, { 4 }, torch::kLong);
        tokens_NU = torch::cat({ tokens_NU.index_select(0, rows_N), next_N.unsqueeze(1) }, 1);
        QVERIFY(agree(decoder.next(next_N), wholeLogits(*m_whisper, m_encoder_BTD, tokens_NU)));
    }
}

void TstWhisperDecoder::newBatch_forgetsTheOne()
{
    decode::WhisperStepDecoder decoder(m_whisper);
    const torch::Tensor first_B = torch::tensor({ 7, 8 });
    decoder.start(m_encoder_BTD, {}, 1);
    const torch::Tensor before_BV = decoder.next(first_B);
    decoder.next(first_B);
    decoder.start(torch::randn({ 2, 12, 16 }), {}, 1);
    decoder.next(first_B);
    decoder.start(m_encoder_BTD, {}, 1);
    QVERIFY(torch::equal(decoder.next(first_B), before_BV));
}

void TstWhisperDecoder::allHiddens_giveTheirLast()
{
    decode::WhisperStepDecoder plain(m_whisper);
    plain.start(m_encoder_BTD, {}, 1);
    decode::WhisperStepDecoder ofAll(tinyWhisper(true));
    ofAll.start(torch::stack({ torch::randn_like(m_encoder_BTD), m_encoder_BTD }), {}, 1);
    const torch::Tensor first_B = torch::tensor({ 7, 8 });
    QVERIFY(torch::equal(ofAll.next(first_B), plain.next(first_B)));
}

EARWRIGHT_TEST(TstWhisperDecoder)
#include "tst_whisper_decoder.moc"
