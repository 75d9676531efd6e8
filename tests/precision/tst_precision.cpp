#include "core/precision/precision.h"

#include "core/train/optim/optimizer.h"
#include "tests/registry.h"

#include <cmath>
#include <limits>
#include <QTest>
#include <torch/optim/sgd.h>

using namespace earwright::precision;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Setup {
    std::vector<torch::Tensor> parameters;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
};

earwright::recipe::Node optimizerNode(const char* className)
{
    earwright::recipe::Node node;
    node.kind = earwright::recipe::Kind::Mapping;
    node.tag = std::string("!name:torch.optim.") + className;
    return node;
}

earwright::recipe::Node optimizerNode(const char* className, const char* key, const char* value)
{
    earwright::recipe::Node node = optimizerNode(className);
    node.entries.push_back(
        { earwright::recipe::makeScalar(key), earwright::recipe::makeScalar(value) });
    return node;
}

Setup setup(const earwright::recipe::Node& node)
{
    torch::manual_seed(1);
    Setup made;
    made.parameters = { torch::randn({ 3, 2 }), torch::randn({ 2 }), torch::randn({ 5 }) };
    for (torch::Tensor& parameter : made.parameters)
        parameter.set_requires_grad(true);
    std::vector<earwright::recipe::Diagnostic> diagnostics;
    made.optimizer = earwright::train::makeOptimizer(node, made.parameters, diagnostics);
    return made;
}

void setGradients(const Setup& made, float value, float last)
{
    for (const torch::Tensor& parameter : made.parameters)
        parameter.mutable_grad() = torch::full_like(parameter, value);
    made.parameters.back().mutable_grad().data_ptr<float>()[0] = last;
}

std::vector<torch::Tensor> snapshot(const Setup& made)
{
    std::vector<torch::Tensor> values;
    for (const torch::Tensor& parameter : made.parameters)
        values.push_back(parameter.detach().clone());
    for (const auto& [name, tensor] : earwright::train::optimizerState(*made.optimizer))
        values.push_back(tensor);
    return values;
}

bool areBitEqual(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b)
{
    for (size_t i = 0; i < a.size(); ++i)
        if (!a[i].view(torch::kInt).equal(b[i].view(torch::kInt)))
            return false;
    return a.size() == b.size();
}

double scaleOf(const Precision& precision)
{
    return precision.state().front().second.item<double>();
}

} // namespace

class TstPrecision final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void severalOptimizers_clipAndSkipApart();
    void backward_scalesTheLoss();
    void step_unscalesAndReportsTheNorm();
    void overflow_halvesTheScale();
    void scale_growsAfter2000FiniteSteps();
    void overflow_startsTheCountAgain();
    void scale_neverReachesZero();
    void state_survivesARestore();
    void noScaling_hasNoState();
    void clipping_isOverAllGroups();
    void normBelowTheLimit_isNotClipped();
    void nonFinite_skipsParametersAndState_data();
    void nonFinite_skipsParametersAndState();
    void nonFinite_withoutSkipping_isOnlyReported();
    void foreignOptimizer_isSkippedToo();
    void noGradients_stepIsHarmless();
};

void TstPrecision::backward_scalesTheLoss()
{
    const torch::Tensor w = torch::ones({ 2 }, torch::requires_grad());
    Precision scaled(Type::Fp16, Type::Fp32, at::kCPU);
    scaled.backward(w.sum());
    QVERIFY(w.grad().equal(torch::full({ 2 }, 65536.0F)));
    w.mutable_grad() = torch::Tensor();
    Precision plain(Type::Bf16, Type::Fp32, at::kCPU);
    plain.backward(w.sum());
    QVERIFY(w.grad().equal(torch::ones({ 2 })));
}

void TstPrecision::step_unscalesAndReportsTheNorm()
{
    const Setup made = setup(optimizerNode("SGD"));
    setGradients(made, 65536.0F, 65536.0F);
    Precision precision(Type::Fp16, Type::Fp32, at::kCPU);
    const StepResult result = precision.step(*made.optimizer, 0, false);
    QCOMPARE(result.gradNorm.item<float>(), std::sqrt(13.0F));
    QCOMPARE(result.foundInf.item<float>(), 0.0F);
    QCOMPARE(result.lossScale.item<float>(), 65536.0F);
    QVERIFY(made.parameters[0].grad().equal(torch::ones({ 3, 2 })));
}

void TstPrecision::overflow_halvesTheScale()
{
    const Setup made = setup(optimizerNode("AdamW"));
    Precision precision(Type::Fp16, Type::Fp32, at::kCPU);
    setGradients(made, 1, kInf);
    QCOMPARE(precision.step(*made.optimizer, 0, false).lossScale.item<float>(), 32768.0F);
    setGradients(made, 1, std::nanf(""));
    QCOMPARE(precision.step(*made.optimizer, 5, false).lossScale.item<float>(), 16384.0F);
}

void TstPrecision::scale_growsAfter2000FiniteSteps()
{
    const Setup made = setup(optimizerNode("SGD"));
    Precision precision(Type::Fp16, Type::Fp32, at::kCPU);
    for (int i = 0; i < 1999; ++i) {
        setGradients(made, 1, 1);
        precision.step(*made.optimizer, 0, false);
    }
    QCOMPARE(scaleOf(precision), 65536.0);
    setGradients(made, 1, 1);
    precision.step(*made.optimizer, 0, false);
    QCOMPARE(scaleOf(precision), 131072.0);
}

void TstPrecision::overflow_startsTheCountAgain()
{
    const Setup made = setup(optimizerNode("SGD"));
    Precision precision(Type::Fp16, Type::Fp32, at::kCPU);
    precision.restore({ { "scale", torch::full({}, 8.0F) },
        { "growth_tracker", torch::full({}, 1999, torch::kInt) } });
    setGradients(made, 1, kInf);
    precision.step(*made.optimizer, 0, false);
    QCOMPARE(scaleOf(precision), 4.0);
    setGradients(made, 1, 1);
    precision.step(*made.optimizer, 0, false);
    QCOMPARE(scaleOf(precision), 4.0);
    QCOMPARE(precision.state()[1].second.item<int>(), 1);
}

void TstPrecision::scale_neverReachesZero()
{
    const Setup made = setup(optimizerNode("SGD"));
    Precision precision(Type::Fp16, Type::Fp32, at::kCPU);
    for (int i = 0; i < 200; ++i) { // 2^-184 is 0 in float32
        setGradients(made, 1, kInf);
        precision.step(*made.optimizer, 0, false);
    }
    QCOMPARE(scaleOf(precision), 1.0 / 65536);
    const torch::Tensor before = made.parameters[0].detach().clone();
    setGradients(made, 0, 0);
    QCOMPARE(precision.step(*made.optimizer, 0, false).gradNorm.item<float>(), 0.0F);
    QVERIFY(made.parameters[0].equal(before));
}

void TstPrecision::state_survivesARestore()
{
    const Setup made = setup(optimizerNode("SGD"));
    Precision first(Type::Fp16, Type::Fp32, at::kCPU);
    setGradients(made, 1, kInf);
    first.step(*made.optimizer, 0, false);
    setGradients(made, 1, 1);
    first.step(*made.optimizer, 0, false);
    Precision second(Type::Fp16, Type::Fp32, at::kCPU);
    second.restore(first.state());
    QCOMPARE(scaleOf(second), 32768.0);
    QCOMPARE(second.state()[1].second.item<int>(), 1);
}

void TstPrecision::noScaling_hasNoState()
{
    QVERIFY(Precision(Type::Bf16, Type::Fp32, at::kCPU).state().empty());
    QVERIFY(Precision(Type::Fp16, Type::Fp32, at::kCPU, false).state().empty());
    QCOMPARE(Precision(Type::Fp32, Type::Fp32, at::kCPU, true).state().size(), size_t { 2 });
}

void TstPrecision::clipping_isOverAllGroups()
{
    const Setup made = setup(optimizerNode("SGD"));
    const torch::Tensor extra = torch::zeros({ 1 }, torch::requires_grad());
    torch::optim::SGD plain({ made.parameters[0] }, 1.0);
    plain.add_param_group(torch::optim::OptimizerParamGroup({ extra }));
    made.parameters[0].mutable_grad() = torch::full({ 3, 2 }, 0.0F);
    made.parameters[0].mutable_grad().data_ptr<float>()[0] = 3.0F;
    extra.mutable_grad() = torch::full({ 1 }, 4.0F);
    Precision precision(Type::Fp32, Type::Fp32, at::kCPU);
    const StepResult result = precision.step(plain, 1.0, false);
    QCOMPARE(result.gradNorm.item<float>(), 5.0F);
    QCOMPARE(extra.grad().item<float>(), static_cast<float>(4.0 * (1.0 / (5.0 + 1e-6))));
    QVERIFY(std::abs(extra.item<float>() + 0.8F) < 1e-6F);
}

void TstPrecision::normBelowTheLimit_isNotClipped()
{
    const Setup made = setup(optimizerNode("SGD"));
    setGradients(made, 0.25F, 0.125F);
    Precision precision(Type::Fp32, Type::Fp32, at::kCPU);
    precision.step(*made.optimizer, 5.0, true);
    QVERIFY(made.parameters[0].grad().equal(torch::full({ 3, 2 }, 0.25F)));
}

void TstPrecision::nonFinite_skipsParametersAndState_data()
{
    QTest::addColumn<QString>("optimizer");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("scaled");
    for (const bool scaled : { false, true }) {
        const char* suffix = scaled ? " scaled" : "";
        QTest::addRow("adamw%s", suffix) << "AdamW"
                                         << "amsgrad"
                                         << "True" << scaled;
        QTest::addRow("adam%s", suffix) << "Adam"
                                        << "weight_decay"
                                        << "0.1" << scaled;
        QTest::addRow("adadelta%s", suffix) << "Adadelta"
                                            << "weight_decay"
                                            << "0.1" << scaled;
        QTest::addRow("sgd%s", suffix) << "SGD"
                                       << "momentum"
                                       << "0.9" << scaled;
        QTest::addRow("plain sgd%s", suffix) << "SGD"
                                             << "weight_decay"
                                             << "0.1" << scaled;
    }
}

void TstPrecision::nonFinite_skipsParametersAndState()
{
    QFETCH(QString, optimizer);
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(bool, scaled);
    const Setup made
        = setup(optimizerNode(qPrintable(optimizer), qPrintable(key), qPrintable(value)));
    Precision precision(Type::Fp32, Type::Fp32, at::kCPU, scaled);
    setGradients(made, 0.5F, 0.25F);
    precision.step(*made.optimizer, 5, true);
    for (const float bad : { kInf, std::nanf("") }) {
        const auto before = snapshot(made);
        setGradients(made, 0.5F, bad);
        QCOMPARE(precision.step(*made.optimizer, 5, true).foundInf.item<float>(), 1.0F);
        QVERIFY(areBitEqual(before, snapshot(made)));
    }
    const auto before = snapshot(made);
    setGradients(made, 0.5F, 0.25F);
    QCOMPARE(precision.step(*made.optimizer, 5, true).foundInf.item<float>(), 0.0F);
    QVERIFY(!areBitEqual(before, snapshot(made)));
}

void TstPrecision::nonFinite_withoutSkipping_isOnlyReported()
{
    const Setup made = setup(optimizerNode("AdamW"));
    Precision precision(Type::Fp32, Type::Fp32, at::kCPU);
    setGradients(made, 0.5F, std::nanf(""));
    QCOMPARE(precision.step(*made.optimizer, 0, false).foundInf.item<float>(), 1.0F);
    QVERIFY(made.parameters.back().isnan().any().item<bool>());
}

void TstPrecision::foreignOptimizer_isSkippedToo()
{
    const Setup made = setup(optimizerNode("SGD"));
    torch::optim::SGD foreign(made.parameters, 0.1);
    Precision precision(Type::Fp32, Type::Fp32, at::kCPU);
    const torch::Tensor before = made.parameters[0].detach().clone();
    setGradients(made, 1, kInf);
    precision.step(foreign, 0, true);
    QVERIFY(made.parameters[0].equal(before));
    setGradients(made, 1, 1);
    precision.step(foreign, 0, true);
    QVERIFY(made.parameters[0].allclose(before - 0.1));
}

void TstPrecision::noGradients_stepIsHarmless()
{
    const Setup made = setup(optimizerNode("AdamW"));
    const auto before = snapshot(made);
    for (const bool scaled : { false, true }) {
        Precision precision(Type::Fp32, Type::Fp32, at::kCPU, scaled);
        QCOMPARE(precision.step(*made.optimizer, 5, true).gradNorm.item<float>(), 0.0F);
    }
    QVERIFY(areBitEqual(before, snapshot(made)));
}

/// As upstream: one with an overflow skips its step, the other takes its own.
void TstPrecision::severalOptimizers_clipAndSkipApart()
{
    const Setup one = setup(optimizerNode("SGD", "lr", "1"));
    const Setup other = setup(optimizerNode("SGD", "lr", "1"));
    Precision precision(Type::Fp32, Type::Fp32, torch::kCPU);
    setGradients(one, 3, 3); // 13 numbers: a norm of 10.8
    setGradients(other, 0.01F, 0.01F);
    const auto before = snapshot(other);
    const StepResult clipped
        = precision.step({ one.optimizer.get(), other.optimizer.get() }, 1, true);
    const double norms = std::hypot(3 * std::sqrt(13.0), 0.01 * std::sqrt(13.0));
    QVERIFY(std::abs(clipped.gradNorm.item<double>() - norms) < 1e-4);
    QCOMPARE(clipped.foundInf.item<float>(), 0.0F);
    QVERIFY(std::abs(one.parameters[1].grad()[0].item<double>() - 1 / std::sqrt(13.0)) < 1e-4);
    QCOMPARE(other.parameters[1].grad()[0].item<float>(), 0.01F);

    setGradients(one, 1, kInf);
    const auto kept = snapshot(one);
    const auto moved = snapshot(other);
    const StepResult skipped
        = precision.step({ one.optimizer.get(), other.optimizer.get() }, 0, true);
    QCOMPARE(skipped.foundInf.item<float>(), 1.0F);
    QVERIFY(areBitEqual(kept, snapshot(one)));
    QVERIFY(!areBitEqual(moved, snapshot(other)));
    QVERIFY(!areBitEqual(before, moved));
}

EARWRIGHT_TEST(TstPrecision)
#include "tst_precision.moc"
