#include <QTest>

#include "core/model/mel_filters.h"
#include "core/model/rounded_convolution.h"
#include "core/precision/precision.h"
#include "tests/registry.h"

#include <set>
#include <torch/autograd.h>

using namespace earwright;

Q_DECLARE_METATYPE(model::RoundedConvolution)

/// The convolution of few lengths gives what conv2d of a padded input gives. What it saves on a GPU
/// is measured by tests/gpu.
class TstRoundedConvolution final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundedInput_givesConv2d_data();
    void roundedInput_givesConv2d();
    void layoutOfTheInput_isKept();
    void autocast_isThatOfConv2d();
    void reflectedSideAsLongAsTheInput_isRefused();
    void inputShorterThanTheKernel_isRefused();
    void lengths_areFew();
    void framesOfZerosBehind_changeNoEnergies_data();
    void framesOfZerosBehind_changeNoEnergies();
};

namespace {

torch::Tensor plain(const torch::Tensor& x_BCHW, const model::RoundedConvolution& of)
{
    const torch::Tensor padded = of.mode == "constant" ? at::constant_pad_nd(x_BCHW, of.sides)
                                                       : at::pad(x_BCHW, of.sides, of.mode);
    return torch::conv2d(padded, of.weight, of.bias, of.stride, of.padding, of.dilation, of.groups);
}

/// Of the sum of squares, which tells places apart.
std::vector<torch::Tensor> gradientsOf(
    const torch::Tensor& result, const torch::Tensor& input, const model::RoundedConvolution& of)
{
    return torch::autograd::grad({ result.square().sum() }, { input, of.weight, of.bias });
}

model::RoundedConvolution convolution(at::IntArrayRef weight)
{
    return { .weight = torch::rand(weight).requires_grad_(),
        .bias = torch::rand({ weight[0] }).requires_grad_() };
}

} // namespace

void TstRoundedConvolution::roundedInput_givesConv2d_data()
{
    QTest::addColumn<model::RoundedConvolution>("of");
    QTest::addColumn<std::vector<int64_t>>("sizes");
    torch::manual_seed(5);
    const auto row = [](const char* name, std::vector<int64_t> sizes, at::IntArrayRef weight,
                         const std::function<void(model::RoundedConvolution&)>& change) {
        model::RoundedConvolution of = convolution(weight);
        change(of);
        QTest::newRow(name) << of << std::move(sizes);
    };
    using Of = model::RoundedConvolution;
    row("reflected", { 2, 3, 29, 7 }, { 4, 3, 3, 3 }, [](Of& of) { of.sides = { 1, 1, 1, 1 }; });
    row("one channel", { 2, 1, 29, 7 }, { 4, 1, 3, 3 }, [](Of& of) { of.sides = { 1, 1, 1, 1 }; });
    row("uneven sides", { 2, 3, 21, 9 }, { 4, 3, 4, 5 }, [](Of& of) { of.sides = { 3, 1, 0, 2 }; });
    row("stride", { 2, 3, 50, 8 }, { 4, 3, 3, 3 }, [](Of& of) {
        of.sides = { 1, 1, 1, 1 };
        of.stride = { 2, 2 };
    });
    row("dilation and groups", { 2, 4, 33, 9 }, { 4, 2, 3, 3 }, [](Of& of) {
        of.sides = { 2, 2, 2, 2 };
        of.dilation = { 2, 2 };
        of.groups = 2;
    });
    row("time is last", { 2, 3, 1, 45 }, { 4, 3, 1, 5 }, [](Of& of) {
        of.sides = { 2, 2, 0, 0 };
        of.timeDim = 3;
        of.stride = { 1, 2 };
    });
    row("zeros before", { 2, 3, 1, 45 }, { 4, 3, 1, 5 }, [](Of& of) {
        of.sides = { 4, 0, 0, 0 };
        of.mode = "constant";
        of.timeDim = 3;
    });
    row("its own padding", { 2, 3, 1, 45 }, { 4, 3, 1, 5 }, [](Of& of) {
        of.padding = { 0, 2 };
        of.timeDim = 3;
    });
    row("repeated ends", { 2, 3, 29, 7 }, { 4, 3, 3, 3 }, [](Of& of) {
        of.sides = { 1, 1, 1, 1 };
        of.mode = "replicate";
    });
    row("no sides", { 2, 3, 29, 7 }, { 4, 3, 1, 1 }, [](Of&) {});
    row("a round length", { 2, 3, 30, 7 }, { 4, 3, 3, 3 }, [](Of& of) {
        of.sides = { 1, 1, 1, 1 };
    });
}

void TstRoundedConvolution::roundedInput_givesConv2d()
{
    QFETCH(model::RoundedConvolution, of);
    QFETCH(std::vector<int64_t>, sizes);
    torch::manual_seed(7);
    for (const auto format : { at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast }) {
        const torch::Tensor x = torch::rand(sizes).contiguous(format).requires_grad_();
        const torch::Tensor got = model::convolvedRounded(x, of);
        const torch::Tensor expected = plain(x, of);
        QCOMPARE(got.sizes(), expected.sizes());
        QVERIFY(torch::allclose(got, expected, 1e-5, 1e-5));
        const auto ours = gradientsOf(got, x, of);
        const auto theirs = gradientsOf(expected, x, of);
        for (size_t i = 0; i < ours.size(); ++i)
            QVERIFY2(torch::allclose(ours[i], theirs[i], 1e-4, 1e-3), std::to_string(i).c_str());
    }
}

/// So that the layer behind it, which has the channels last, makes no copy.
void TstRoundedConvolution::layoutOfTheInput_isKept()
{
    model::RoundedConvolution of = convolution({ 4, 3, 3, 3 });
    of.sides = { 1, 1, 1, 1 };
    const torch::Tensor x = torch::rand({ 2, 3, 30, 7 }).contiguous(at::MemoryFormat::ChannelsLast);
    const torch::Tensor output = model::convolvedRounded(x, of);
    QVERIFY(output.is_contiguous(at::MemoryFormat::ChannelsLast));
}

void TstRoundedConvolution::autocast_isThatOfConv2d()
{
    torch::manual_seed(7);
    model::RoundedConvolution of = convolution({ 4, 3, 3, 3 });
    of.sides = { 1, 1, 1, 1 };
    const torch::Tensor x = torch::rand({ 2, 3, 29, 7 }).requires_grad_();
    const precision::Autocast autocast(precision::Type::Bf16, at::kCPU);
    const torch::Tensor got = model::convolvedRounded(x, of);
    const torch::Tensor expected = plain(x, of);
    QCOMPARE(got.scalar_type(), at::kBFloat16);
    QVERIFY(torch::allclose(got, expected, 2e-2, 2e-2));
    const torch::Tensor gradient = gradientsOf(got.to(at::kFloat), x, of).front();
    QCOMPARE(gradient.scalar_type(), at::kFloat);
    QVERIFY(
        torch::allclose(gradient, gradientsOf(expected.to(at::kFloat), x, of).front(), 5e-2, 5e-1));
}

void TstRoundedConvolution::reflectedSideAsLongAsTheInput_isRefused()
{
    model::RoundedConvolution of = convolution({ 4, 3, 3, 3 });
    of.sides = { 1, 1, 1, 1 };
    QVERIFY_THROWS_EXCEPTION(c10::Error, model::convolvedRounded(torch::rand({ 2, 3, 1, 7 }), of));
}

/// Zeros at its end do not make it long enough.
void TstRoundedConvolution::inputShorterThanTheKernel_isRefused()
{
    const model::RoundedConvolution of = convolution({ 4, 3, 5, 1 });
    QVERIFY_THROWS_EXCEPTION(c10::Error, model::convolvedRounded(torch::rand({ 2, 3, 4, 7 }), of));
}

void TstRoundedConvolution::lengths_areFew()
{
    std::set<int64_t> found;
    for (int64_t frames = 1; frames <= 2048; ++frames) {
        const int64_t rounded = model::roundedFrames(frames);
        QVERIFY(rounded >= frames && rounded < frames + std::max<int64_t>(8, frames / 16 + 1));
        found.insert(rounded);
    }
    QVERIFY2(found.size() <= 100, std::to_string(found.size()).c_str());
}

void TstRoundedConvolution::framesOfZerosBehind_changeNoEnergies_data()
{
    QTest::addColumn<int64_t>("frames");
    QTest::newRow("one") << int64_t { 1 };
    QTest::newRow("a round number") << int64_t { 16 };
    QTest::newRow("one more") << int64_t { 17 };
}

/// Applied whole, as on a GPU: filters that have a gradient.
void TstRoundedConvolution::framesOfZerosBehind_changeNoEnergies()
{
    QFETCH(int64_t, frames);
    torch::manual_seed(7);
    const model::MelFilters filters(torch::rand({ 9, 5 }).requires_grad_());
    const torch::Tensor x = torch::rand({ 2, frames, 16 });
    const torch::Tensor got = filters.energiesOfRounded(x);
    QCOMPARE(got.sizes(), (std::vector<int64_t> { 2, frames, 5 }));
    QVERIFY(torch::allclose(got, filters.energies(x)));
}

EARWRIGHT_TEST(TstRoundedConvolution)
#include "tst_rounded_convolution.moc"
