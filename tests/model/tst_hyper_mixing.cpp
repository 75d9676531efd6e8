#include "core/model/transformer/hyper_mixing.h"

#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using model::HyperMixing;
using model::MixingSize;

namespace {

constexpr MixingSize kMixingSize { .width = 6, .hidden = 8, .heads = 2, .maxLength = 20 };

torch::Tensor ofMixing(const HyperMixing& mixing, const std::string& name)
{
    return mixing.named_parameters()[name];
}

/// The matrix [T, K] that a head's network makes of frames [T, E].
torch::Tensor mixingMatrix(
    const HyperMixing& mixing, const std::string& maker, int64_t head, const torch::Tensor& x_TE)
{
    const auto of
        = [&](const char* name) { return ofMixing(mixing, "hyper." + maker + "." + name)[head]; };
    const torch::Tensor hidden_TE
        = torch::gelu(torch::linear(x_TE, of("fc1_weights"), of("fc1_biases")));
    return torch::linear(hidden_TE, of("fc2_weights"), of("fc2_biases"));
}

/// One utterance [T, D] as the paper has it: matrices, then the mixing.
torch::Tensor mixedByMatrices(const HyperMixing& mixing, const torch::Tensor& x_TD)
{
    const torch::Tensor positions_TD
        = mixing.named_buffers()["positional_encoding.pe"][0].narrow(0, 0, x_TD.size(0));
    const auto frames = x_TD.chunk(kMixingSize.heads, -1);
    const auto placed = (x_TD + positions_TD).chunk(kMixingSize.heads, -1);
    std::vector<torch::Tensor> heads;
    for (size_t head = 0; head < frames.size(); ++head) {
        const auto index = static_cast<int64_t>(head);
        const torch::Tensor first_TK = mixingMatrix(mixing, "w1_gen", index, placed[head]);
        const torch::Tensor second_TK = mixingMatrix(mixing, "w2_gen", index, placed[head]);
        const torch::Tensor hidden_EK = torch::gelu(frames[head].t().matmul(first_TK));
        heads.push_back(second_TK.matmul(hidden_EK.t()));
    }
    return torch::layer_norm(torch::cat(heads, -1), { kMixingSize.width },
        ofMixing(mixing, "layer_norm.weight"), ofMixing(mixing, "layer_norm.bias"));
}

} // namespace

/// Frames that are mixed by networks which other networks make.
class TstHyperMixing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void mixing_isThatOfItsMatrices();
    void padding_changesNothing();
    void framesBeyondThePositions_areRefused();
    void headsThatDivideNoSize_areRefused();
};

void TstHyperMixing::init()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    torch::manual_seed(1);
}

void TstHyperMixing::cleanup()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
}

void TstHyperMixing::mixing_isThatOfItsMatrices()
{
    HyperMixing mixing(kMixingSize);
    const torch::Tensor x_BTD = torch::randn({ 3, 7, kMixingSize.width });
    const torch::Tensor mixed_BTD = mixing.forward(x_BTD, {});
    for (int64_t row = 0; row < x_BTD.size(0); ++row)
        QVERIFY(torch::allclose(mixed_BTD[row], mixedByMatrices(mixing, x_BTD[row]), 1e-9, 1e-11));
}

void TstHyperMixing::padding_changesNothing()
{
    HyperMixing mixing(kMixingSize);
    const torch::Tensor x_BTD = torch::randn({ 2, 9, kMixingSize.width });
    const torch::Tensor padding_BT = torch::zeros({ 2, 9 }, torch::kBool);
    padding_BT[1].slice(0, 5).fill_(true);
    const torch::Tensor mixed_BTD = mixing.forward(x_BTD, { padding_BT, {} });
    QVERIFY(torch::allclose(mixed_BTD[0], mixedByMatrices(mixing, x_BTD[0]), 1e-9, 1e-11));
    QVERIFY(torch::allclose(mixed_BTD[1].slice(0, 0, 5),
        mixedByMatrices(mixing, x_BTD[1].slice(0, 0, 5)), 1e-9, 1e-11));
    // Frames of padding are what the norm makes of zeros.
    QVERIFY(mixed_BTD[1].slice(0, 5).equal(torch::zeros({ 4, kMixingSize.width })));
}

void TstHyperMixing::framesBeyondThePositions_areRefused()
{
    HyperMixing mixing(kMixingSize);
    mixing.forward(torch::randn({ 1, kMixingSize.maxLength, kMixingSize.width }), {});
    QVERIFY_THROWS_EXCEPTION(c10::Error,
        mixing.forward(torch::randn({ 1, kMixingSize.maxLength + 1, kMixingSize.width }), {}));
}

void TstHyperMixing::headsThatDivideNoSize_areRefused()
{
    QVERIFY_THROWS_EXCEPTION(
        c10::Error, HyperMixing(MixingSize { .width = 6, .hidden = 7, .heads = 2 }));
    try {
        HyperMixing(MixingSize { .width = 6, .hidden = 2048, .heads = 8 });
        QFAIL("built");
    } catch (const c10::Error& error) {
        QCOMPARE(QString(error.what_without_backtrace()),
            "hypermixing with 8 heads needs a width and hidden units that are multiples of 8, not "
            "6 and 2048");
    }
}

EARWRIGHT_TEST(TstHyperMixing)
#include "tst_hyper_mixing.moc"
