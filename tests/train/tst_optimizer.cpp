#include "core/train/optim/optimizer.h"

#include "core/recipe/parse.h"
#include "tests/registry.h"

#include <QTest>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>
#include <torch/utils.h>

using namespace earwright;

namespace {

recipe::NodePtr parsedOptimizer(const std::string& text)
{
    return recipe::find(
        *recipe::parse("opt_class: " + text + "\n", "recipe.yaml").root, "opt_class");
}

std::vector<torch::Tensor> someParameters()
{
    torch::manual_seed(3);
    std::vector<torch::Tensor> made { torch::randn({ 4, 3 }), torch::randn({ 3 }),
        torch::randn({ 2 }) };
    for (torch::Tensor& parameter : made)
        parameter.set_requires_grad(true);
    return made;
}

struct Setup {
    std::vector<torch::Tensor> parameters;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
};

Setup madeOptimizer(const std::string& text, bool removeVectorWeightDecay = false)
{
    Setup setup { someParameters(), nullptr };
    std::vector<recipe::Diagnostic> diagnostics;
    setup.optimizer = train::makeOptimizer(
        *parsedOptimizer(text), setup.parameters, diagnostics, removeVectorWeightDecay);
    return setup;
}

/// One step on gradients that depend on the step; the last parameter never has one.
void stepOnce(Setup& setup, int step)
{
    for (size_t i = 0; i + 1 < setup.parameters.size(); ++i)
        setup.parameters[i].mutable_grad() = torch::sin(setup.parameters[i].detach() * (step + 1));
    setup.optimizer->step();
}

} // namespace

class TstOptimizer final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void result_matchesLibTorch_data();
    void result_matchesLibTorch();
    void dampedFirstStep_takesTheWholeGradient();
    void unknownClass_isReported();
    void unfitArguments_areReported_data();
    void unfitArguments_areReported();
    void learningRate_changesWithoutRebuilding();
    void restoredState_continuesBitForBit_data();
    void restoredState_continuesBitForBit();
    void foreignState_isRefusedByName();
    void vectorsWithoutDecay_areTheFirstGroup();
    void parameterWithoutGradient_staysAsItIs();
};

void TstOptimizer::result_matchesLibTorch_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("adam")
        << "!name:torch.optim.Adam {lr: 0.01, weight_decay: 0.1, betas: [0.8, 0.95]}";
    QTest::newRow("adamw")
        << "!name:torch.optim.AdamW {lr: 0.01, weight_decay: 0.1, betas: [0.8, 0.95]}";
    QTest::newRow("sgd") << "!name:torch.optim.SGD {lr: 0.01, weight_decay: 0.1, momentum: 0.9}";
}

void TstOptimizer::result_matchesLibTorch()
{
    QFETCH(QString, text);
    Setup ours = madeOptimizer(text.toStdString());
    Setup theirs { someParameters(), nullptr };
    const auto betas = std::make_tuple(0.8, 0.95);
    if (text.contains(QStringLiteral("AdamW")))
        theirs.optimizer = std::make_unique<torch::optim::AdamW>(
            theirs.parameters, torch::optim::AdamWOptions(0.01).weight_decay(0.1).betas(betas));
    else if (text.contains(QStringLiteral("Adam")))
        theirs.optimizer = std::make_unique<torch::optim::Adam>(
            theirs.parameters, torch::optim::AdamOptions(0.01).weight_decay(0.1).betas(betas));
    else
        theirs.optimizer = std::make_unique<torch::optim::SGD>(
            theirs.parameters, torch::optim::SGDOptions(0.01).weight_decay(0.1).momentum(0.9));
    for (int step = 0; step < 20; ++step) {
        stepOnce(ours, step);
        stepOnce(theirs, step);
    }
    for (size_t i = 0; i < ours.parameters.size(); ++i)
        QVERIFY(ours.parameters[i].allclose(theirs.parameters[i], 1e-5, 1e-6));
}

void TstOptimizer::dampedFirstStep_takesTheWholeGradient()
{
    Setup ours = madeOptimizer("!name:torch.optim.SGD {lr: 0.1, momentum: 0.9, dampening: 0.5}");
    Setup theirs { someParameters(), nullptr };
    theirs.optimizer = std::make_unique<torch::optim::SGD>(
        theirs.parameters, torch::optim::SGDOptions(0.1).momentum(0.9).dampening(0.5));
    for (int step = 0; step < 3; ++step) {
        stepOnce(ours, step);
        stepOnce(theirs, step);
        QVERIFY(ours.parameters[0].allclose(theirs.parameters[0], 1e-5, 1e-6));
    }
}

void TstOptimizer::unknownClass_isReported()
{
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(!train::makeOptimizer(
        *parsedOptimizer("!name:torch.optim.Lion {lr: 0.1}"), someParameters(), diagnostics));
    QCOMPARE(diagnostics.front().rule, std::string("unknown-optimizer"));
}

void TstOptimizer::unfitArguments_areReported_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("type") << "!name:torch.optim.Adam {lr: quick}";
    QTest::newRow("range") << "!name:torch.optim.Adam {lr: -1.0}";
    QTest::newRow("betas") << "!name:torch.optim.AdamW {betas: [0.9]}";
    QTest::newRow("nesterov") << "!name:torch.optim.SGD {nesterov: True}";
}

void TstOptimizer::unfitArguments_areReported()
{
    QFETCH(QString, text);
    std::vector<recipe::Diagnostic> diagnostics;
    QVERIFY(
        !train::makeOptimizer(*parsedOptimizer(text.toStdString()), someParameters(), diagnostics));
    QVERIFY(recipe::hasErrors(diagnostics));
    QCOMPARE(diagnostics.front().span.begin.line, 1);
}

void TstOptimizer::learningRate_changesWithoutRebuilding()
{
    Setup setup = madeOptimizer("!name:torch.optim.SGD {lr: 0.5}", true);
    QCOMPARE(train::learningRate(*setup.optimizer), 0.5);
    train::setLearningRate(*setup.optimizer, 0);
    const torch::Tensor before = setup.parameters[0].detach().clone();
    stepOnce(setup, 0);
    QVERIFY(setup.parameters[0].equal(before));
    train::setLearningRate(*setup.optimizer, 2.0);
    const torch::Tensor gradient = torch::sin(before * 2);
    stepOnce(setup, 1);
    QVERIFY(setup.parameters[0].allclose(before - 2 * gradient));
}

void TstOptimizer::restoredState_continuesBitForBit_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("adam amsgrad") << "!name:torch.optim.Adam {lr: 0.01, amsgrad: True}";
    QTest::newRow("adamw") << "!name:torch.optim.AdamW {lr: 0.01}";
    QTest::newRow("adadelta") << "!name:torch.optim.Adadelta {rho: 0.95, eps: 1.e-8}";
    QTest::newRow("sgd") << "!name:torch.optim.SGD {lr: 0.01, momentum: 0.9, nesterov: True}";
}

void TstOptimizer::restoredState_continuesBitForBit()
{
    QFETCH(QString, text);
    Setup whole = madeOptimizer(text.toStdString());
    for (int step = 0; step < 3; ++step)
        stepOnce(whole, step);
    Setup resumed = madeOptimizer(text.toStdString());
    {
        const torch::NoGradGuard noGrad;
        for (size_t i = 0; i < whole.parameters.size(); ++i)
            resumed.parameters[i].copy_(whole.parameters[i]);
    }
    train::restoreOptimizerState(*resumed.optimizer, train::optimizerState(*whole.optimizer));
    for (int step = 3; step < 6; ++step) {
        stepOnce(whole, step);
        stepOnce(resumed, step);
    }
    for (size_t i = 0; i < whole.parameters.size(); ++i)
        QVERIFY(resumed.parameters[i].equal(whole.parameters[i]));
}

void TstOptimizer::foreignState_isRefusedByName()
{
    Setup adam = madeOptimizer("!name:torch.optim.Adam {}");
    Setup sgd = madeOptimizer("!name:torch.optim.SGD {momentum: 0.9}");
    try {
        train::restoreOptimizerState(*adam.optimizer, train::optimizerState(*sgd.optimizer));
        QFAIL("accepted the state of another optimizer");
    } catch (const c10::Error& error) {
        QVERIFY(
            std::string(error.what_without_backtrace()).find("'0.exp_avg'") != std::string::npos);
    }
}

void TstOptimizer::vectorsWithoutDecay_areTheFirstGroup()
{
    Setup setup = madeOptimizer("!name:torch.optim.SGD {lr: 0.1, weight_decay: 0.5}", true);
    QCOMPARE(setup.optimizer->param_groups().size(), size_t { 2 });
    QCOMPARE(setup.optimizer->param_groups()[0].params().size(), size_t { 2 });
    const torch::Tensor matrix = setup.parameters[0].detach().clone();
    const torch::Tensor vector = setup.parameters[1].detach().clone();
    for (const torch::Tensor& parameter : setup.parameters)
        parameter.mutable_grad() = torch::zeros_like(parameter);
    setup.optimizer->step();
    QVERIFY(setup.parameters[1].equal(vector));
    QVERIFY(setup.parameters[0].allclose(matrix * 0.95));
}

void TstOptimizer::parameterWithoutGradient_staysAsItIs()
{
    Setup setup = madeOptimizer("!name:torch.optim.AdamW {lr: 0.1, weight_decay: 0.5}");
    const torch::Tensor before = setup.parameters.back().detach().clone();
    stepOnce(setup, 0);
    QVERIFY(setup.parameters.back().equal(before));
    for (const auto& [name, tensor] : train::optimizerState(*setup.optimizer))
        if (name == "2.step")
            QCOMPARE(tensor.item<float>(), 0.0F);
        else if (name == "0.step")
            QCOMPARE(tensor.item<float>(), 1.0F);
}

EARWRIGHT_TEST(TstOptimizer)
#include "tst_optimizer.moc"
