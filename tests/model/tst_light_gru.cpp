#include <QTest>

#include "core/model/drop_masks.h"
#include "core/model/light_gru.h"
#include "core/precision/precision.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

#include <cmath>

using namespace earwright;
using precision::Autocast;
using precision::Type;

namespace {

constexpr int64_t kHidden = 5;

/// The recurrence an operator at a time, in the types that upstream's promotion gives: its mask and
/// its initial state are float32.
torch::Tensor upstreamLoop(
    const torch::Tensor& gates_TBG, const torch::Tensor& u_GH, const torch::Tensor& mask_BH)
{
    torch::Tensor h = torch::zeros_like(mask_BH);
    std::vector<torch::Tensor> states;
    for (const torch::Tensor& gate : gates_TBG.unbind()) {
        const auto parts = (gate + h.to(gate.scalar_type()).mm(u_GH.t())).chunk(2, 1);
        const torch::Tensor z = parts[1].sigmoid();
        h = z * h + (1 - z) * (parts[0].relu() * mask_BH);
        states.push_back(h);
    }
    return torch::stack(states);
}

struct Inputs {
    torch::Tensor gates, u, mask;
};

/// Leaves that require gradients.
Inputs inputs(at::ScalarType type)
{
    torch::manual_seed(2);
    const torch::Tensor gates = torch::randn({ 12, 3, 2 * kHidden }).to(type);
    const torch::Tensor u = (torch::randn({ 2 * kHidden, kHidden }) * 0.5).to(type);
    return { gates.set_requires_grad(true), u.set_requires_grad(true),
        torch::ones({ 3, kHidden }).bernoulli(0.5).mul(2) };
}

double apart(const torch::Tensor& a, const torch::Tensor& b)
{
    const torch::Tensor wanted = b.to(torch::kDouble);
    return ((a.to(torch::kDouble) - wanted).norm() / wanted.norm()).item<double>();
}

} // namespace

class TstLightGru final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void loop_isUpstreams_data();
    void loop_isUpstreams();
    void stateInReducedPrecision_goesOnInSmallSteps_data();
    void stateInReducedPrecision_goesOnInSmallSteps();
    void layerUnderAutocast_givesFloat32();
    void normalizationOfAnyOtherName_isLayerNorm();
    void dropMasks_areAddedToEveryLayer();
};

void TstLightGru::loop_isUpstreams_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("float32") << static_cast<int>(at::kFloat) << 1e-6;
    QTest::newRow("bf16") << static_cast<int>(at::kBFloat16) << 8e-3;
    QTest::newRow("fp16") << static_cast<int>(at::kHalf) << 1e-3;
}

void TstLightGru::loop_isUpstreams()
{
    QFETCH(int, type);
    QFETCH(double, tolerance);
    const Inputs ours = inputs(static_cast<at::ScalarType>(type));
    const Inputs theirs = inputs(static_cast<at::ScalarType>(type));
    const torch::Tensor found
        = model::lightGru(ours.gates, ours.u, ours.mask, model::Nonlinearity::Relu);
    const torch::Tensor wanted = upstreamLoop(theirs.gates, theirs.u, theirs.mask);
    QCOMPARE(found.scalar_type(), wanted.scalar_type());
    QVERIFY(apart(found, wanted) <= tolerance);
    const torch::Tensor weights = torch::randn(found.sizes());
    (found * weights).sum().backward();
    (wanted * weights).sum().backward();
    for (const auto& [mine, other] :
        { std::pair { ours.gates, theirs.gates }, std::pair { ours.u, theirs.u } }) {
        QCOMPARE(mine.grad().scalar_type(), other.grad().scalar_type());
        QVERIFY(apart(mine.grad(), other.grad()) <= 4 * tolerance);
    }
}

void TstLightGru::stateInReducedPrecision_goesOnInSmallSteps_data()
{
    QTest::addColumn<int>("type");
    QTest::newRow("bf16") << static_cast<int>(at::kBFloat16);
    QTest::newRow("fp16") << static_cast<int>(at::kHalf);
}

/// Each frame adds a 400th of what is missing to 0.125: less than half a step of bf16 there.
void TstLightGru::stateInReducedPrecision_goesOnInSmallSteps()
{
    QFETCH(int, type);
    const auto reduced = static_cast<at::ScalarType>(type);
    constexpr int64_t kFrames = 1000;
    torch::Tensor gates = torch::full({ kFrames, 1, 2 }, 6.0, reduced); // sigmoid(6) = 0.9975
    gates.select(2, 0).fill_(0.125);
    const torch::Tensor states
        = model::lightGru(gates, torch::zeros({ 2, 1 }, reduced), {}, model::Nonlinearity::Relu);
    const double keeps = 1 / (1 + std::exp(-6.0));
    const double wanted = 0.125 * (1 - std::pow(keeps, kFrames));
    QVERIFY(std::abs(states[kFrames - 1].item<double>() - wanted) < 1e-4);
}

void TstLightGru::layerUnderAutocast_givesFloat32()
{
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN.LiGRU\n"
                                      "    input_shape: [null, null, 6]\n    hidden_size: 4\n"
                                      "    num_layers: 2\n    bidirectional: True\n"
                                      "    dropout: 0.5\n");
    for (const bool isTraining : { true, false }) {
        layer->train(isTraining);
        const Autocast autocast(Type::Bf16, at::kCPU);
        QCOMPARE(layer->forward(torch::randn({ 3, 9, 6 })).scalar_type(), torch::kFloat);
    }
}

/// As upstream, whose comment says that none is disabled.
void TstLightGru::normalizationOfAnyOtherName_isLayerNorm()
{
    const torch::Tensor input = torch::randn({ 3, 9, 6 });
    std::vector<torch::Tensor> outputs;
    for (const std::string name : { "none", "layernorm", "batchnorm" }) {
        torch::manual_seed(5);
        const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN.LiGRU\n"
                                          "    input_shape: [null, null, 6]\n    hidden_size: 4\n"
                                          "    normalization: "
            + name + "\n");
        outputs.push_back(layer->forward(input));
    }
    QVERIFY(torch::equal(outputs[0], outputs[1]));
    QVERIFY(!torch::allclose(outputs[0], outputs[2]));
}

void TstLightGru::dropMasks_areAddedToEveryLayer()
{
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN.LiGRU\n"
                                      "    input_shape: [null, null, 6]\n    hidden_size: 4\n"
                                      "    num_layers: 2\n");
    std::map<std::string, torch::Tensor> tensors;
    for (const auto& buffer : layer->named_buffers())
        tensors["enc.RNN." + buffer.key()] = buffer.value();
    const size_t before = tensors.size();
    model::addDropMasks(tensors);
    QCOMPARE(tensors.size(), before + 2);
    for (const char* name : { "enc.RNN.rnn.0.drop_masks", "enc.RNN.rnn.1.drop_masks" }) {
        QVERIFY(model::isDropMasks(name));
        QVERIFY(torch::equal(tensors.at(name), torch::ones({ 16000, 4 })));
    }
    QVERIFY(!model::isDropMasks("enc.RNN.rnn.0.drop_mask_te"));
}

EARWRIGHT_TEST(TstLightGru)
#include "tst_light_gru.moc"
