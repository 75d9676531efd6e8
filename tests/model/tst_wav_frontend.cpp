#include <QTest>

#include "core/model/paraformer/wav_frontend.h"
#include "tests/registry.h"

#include <cmath>

using namespace earwright;

namespace {

constexpr int64_t kWaveSamples = 8000;
constexpr int64_t kWindow = 400;
constexpr int64_t kTransform = 512;
constexpr int64_t kMels = 80;

catalog::WavFrontendConfig plain()
{
    catalog::WavFrontendConfig config;
    config.dither = 0;
    return config;
}

double melOf(double hz)
{
    return 1127 * std::log(1 + hz / 700);
}

/// Kaldi's triangles, [bins, mels].
torch::Tensor filters()
{
    torch::Tensor weights = torch::zeros({ kTransform / 2 + 1, kMels }, torch::kDouble);
    const double low = melOf(20);
    const double step = (melOf(8000) - low) / (kMels + 1);
    for (int64_t bin = 0; bin < kTransform / 2; ++bin) {
        const double mel = melOf(16000.0 * static_cast<double>(bin) / kTransform);
        for (int64_t filter = 0; filter < kMels; ++filter) {
            const double left = low + static_cast<double>(filter) * step;
            weights[bin][filter]
                = std::max(0.0, std::min((mel - left) / step, (left + 2 * step - mel) / step));
        }
    }
    return weights;
}

/// Frame by frame in float64, as Kaldi does it: the mean off, then the emphasis.
torch::Tensor expectedOf(const torch::Tensor& wave_T)
{
    const torch::Tensor frames
        = wave_T.to(torch::kDouble).mul(32768).unfold(0, kWindow, kWindow * 2 / 5);
    const torch::Tensor centred = frames - frames.mean(1, true);
    const torch::Tensor before
        = torch::cat({ centred.narrow(1, 0, 1), centred.narrow(1, 0, kWindow - 1) }, 1);
    const torch::Tensor window
        = torch::hamming_window(kWindow, false, 0.54, 0.46, torch::TensorOptions(torch::kDouble));
    const torch::Tensor power
        = torch::fft_rfft((centred - 0.97 * before) * window, kTransform).abs().square();
    return power.matmul(filters()).clamp_min(std::numeric_limits<float>::epsilon()).log();
}

/// Noise of this deviation around an offset, both in steps of 16 bits.
torch::Tensor noise(double offset, double deviation)
{
    torch::manual_seed(7);
    return ((torch::randn({ kWaveSamples }) * deviation).round() + offset) / 32768;
}

double errorOf(const torch::Tensor& found_TF, const torch::Tensor& wave_T)
{
    return (found_TF.to(torch::kDouble) - expectedOf(wave_T)).abs().max().item<double>();
}

} // namespace

class TstWavFrontend : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void offset_changesNoFeature_data();
    void offset_changesNoFeature();
    void offsetOfAShortRow_isItsOwn();
    void wholeSteps_areTakenOffExactly();
};

void TstWavFrontend::offset_changesNoFeature_data()
{
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("deviation");
    QTest::newRow("none") << 0.0 << 3000.0;
    QTest::newRow("small beside the noise") << 40.0 << 3000.0;
    QTest::newRow("large beside the noise") << 20000.0 << 30.0;
    QTest::newRow("negative") << -20000.0 << 30.0;
    QTest::newRow("alone") << 3000.0 << 0.0;
    QTest::newRow("silence") << 0.0 << 0.0;
}

void TstWavFrontend::offset_changesNoFeature()
{
    QFETCH(double, offset);
    QFETCH(double, deviation);
    const torch::Tensor wave_T = noise(offset, deviation);
    model::WavFrontend frontend(plain());
    const double error = errorOf(frontend.forward(wave_T.unsqueeze(0))[0], wave_T);
    QVERIFY2(error < 1e-3, qPrintable(QString::number(error)));
}

/// Not the padding's, whatever an augmentation has put there.
void TstWavFrontend::offsetOfAShortRow_isItsOwn()
{
    const torch::Tensor wave_T = noise(20000, 30);
    model::WavFrontend frontend(plain());
    const torch::Tensor wide_BT = torch::zeros({ 2, 4 * kWaveSamples });
    wide_BT[0].narrow(0, 0, kWaveSamples).copy_(wave_T);
    wide_BT[1].fill_(-0.5);
    wide_BT[1].narrow(0, 0, kWaveSamples).copy_(wave_T);
    const torch::Tensor found = frontend.forward(wide_BT, torch::tensor({ 0.25, 0.25 }));
    for (int64_t row = 0; row < 2; ++row) {
        const double error
            = errorOf(found[row].narrow(0, 0, 1 + (kWaveSamples - kWindow) / 160), wave_T);
        QVERIFY2(error < 1e-3, qPrintable(QString::number(error)));
    }
}

/// So that a recording of 16 bits without an offset keeps its features' bits.
void TstWavFrontend::wholeSteps_areTakenOffExactly()
{
    const torch::Tensor wave_T = noise(0, 3000);
    QVERIFY(std::abs(wave_T.mean().item<double>() * 32768) > 1);
    model::WavFrontend frontend(plain());
    const torch::Tensor centred_T = wave_T - (wave_T.mean() * 32768).round() / 32768;
    QVERIFY(torch::equal(
        frontend.forward(wave_T.unsqueeze(0)), frontend.forward(centred_T.unsqueeze(0))));
}

EARWRIGHT_TEST(TstWavFrontend)
#include "tst_wav_frontend.moc"
