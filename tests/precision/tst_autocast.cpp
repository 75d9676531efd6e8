#include "core/model/linear.h"
#include "core/precision/census.h"
#include "core/precision/precision.h"
#include "core/precision/tf32.h"
#include "tests/registry.h"

#include <ATen/autocast_mode.h>
#include <latch>
#include <QTest>
#include <thread>
#include <torch/utils.h>

using namespace earwright::precision;

class TstAutocast final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void name_parses_data();
    void name_parses();
    void unknownName_listsTheAcceptedOnes();
    void bf16_changesLinearAndConvolution();
    void bf16_roundsALinearLayerOnce();
    void fp32_insideBf16_computesInFloat();
    void end_restoresStateAndClearsTheWeightCache();
    void tf32_isAllowedInsideOnly();
    void otherTypes_forbidTf32();
    void scopesOfSeveralThreads_leaveTheSwitchAsItWas();
    void evalPrecision_isIndependentOfTraining();
    void census_ofBf16Linear_isBfloat16();
    void census_ofFp32_isAllFloat32();
    void census_countsTheFlopsOfALinearStep();
};

namespace {

bool isEnabled()
{
    return at::autocast::is_autocast_enabled(at::kCPU);
}

/// y = x w^T with 8 x 32 inputs and 16 outputs, forward and backward to both.
void linearStep(Type type)
{
    const torch::Tensor x = torch::randn({ 8, 32 }, torch::requires_grad());
    const torch::Tensor w = torch::randn({ 16, 32 }, torch::requires_grad());
    torch::Tensor loss;
    {
        const Autocast autocast(type, at::kCPU);
        loss = torch::linear(x, w).to(torch::kFloat).sum();
    }
    loss.backward();
}

} // namespace

void TstAutocast::name_parses_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("type");
    QTest::newRow("fp32") << "fp32" << static_cast<int>(Type::Fp32);
    QTest::newRow("tf32") << "tf32" << static_cast<int>(Type::Tf32);
    QTest::newRow("fp16") << "fp16" << static_cast<int>(Type::Fp16);
    QTest::newRow("bf16") << "bf16" << static_cast<int>(Type::Bf16);
}

void TstAutocast::name_parses()
{
    QFETCH(QString, name);
    QFETCH(int, type);
    const auto parsed = parseType(name.toStdString());
    QVERIFY(parsed);
    QCOMPARE(static_cast<int>(*parsed), type);
    QCOMPARE(QString::fromStdString(typeName(*parsed)), name);
}

void TstAutocast::unknownName_listsTheAcceptedOnes()
{
    const auto parsed = parseType("half");
    QVERIFY(!parsed);
    QCOMPARE(QString::fromStdString(parsed.error().message),
        QStringLiteral("unknown precision 'half': use fp32, tf32, fp16 or bf16"));
    QVERIFY(!parseType(""));
    QVERIFY(!parseType("BF16"));
}

void TstAutocast::bf16_changesLinearAndConvolution()
{
    const Autocast autocast(Type::Bf16, at::kCPU);
    const torch::Tensor linear = torch::linear(torch::randn({ 2, 3 }), torch::randn({ 4, 3 }));
    const torch::Tensor convolved
        = torch::conv1d(torch::randn({ 2, 3, 9 }), torch::randn({ 4, 3, 3 }));
    QCOMPARE(linear.scalar_type(), torch::kBFloat16);
    QCOMPARE(convolved.scalar_type(), torch::kBFloat16);
}

/// Product and bias are one operator, as in Python, for an input (B, T, C) too.
void TstAutocast::bf16_roundsALinearLayerOnce()
{
    torch::manual_seed(7);
    const auto layer = earwright::model::makeLinear(64, 32);
    const torch::Tensor x_BTC = torch::randn({ 4, 25, 64 });
    const torch::NoGradGuard noGrad;
    const torch::Tensor weight = layer->named_parameters()["w.weight"];
    const torch::Tensor bias = layer->named_parameters()["w.bias"].uniform_(-1, 1);
    const Autocast autocast(Type::Bf16, at::kCPU);
    const torch::Tensor once = torch::linear(x_BTC, weight, bias);
    const torch::Tensor twice = x_BTC.matmul(weight.t()) + bias.to(torch::kBFloat16);
    QVERIFY(!once.equal(twice));
    QVERIFY(layer->forward(x_BTC, {}).equal(once));
}

void TstAutocast::fp32_insideBf16_computesInFloat()
{
    const Autocast outer(Type::Bf16, at::kCPU);
    {
        const Autocast inner(Type::Fp32, at::kCPU);
        QCOMPARE(torch::linear(torch::randn({ 2, 3 }), torch::randn({ 4, 3 })).scalar_type(),
            torch::kFloat);
    }
    QCOMPARE(torch::linear(torch::randn({ 2, 3 }), torch::randn({ 4, 3 })).scalar_type(),
        torch::kBFloat16);
}

void TstAutocast::end_restoresStateAndClearsTheWeightCache()
{
    const at::ScalarType before = at::autocast::get_autocast_dtype(at::kCPU);
    const torch::Tensor x = torch::ones({ 1, 2 });
    const torch::Tensor w = torch::ones({ 1, 2 }, torch::requires_grad());
    {
        const Autocast autocast(Type::Fp16, at::kCPU);
        QVERIFY(isEnabled());
        QCOMPARE(torch::linear(x, w).item<float>(), 2.0F);
    }
    QVERIFY(!isEnabled());
    QCOMPARE(at::autocast::get_autocast_dtype(at::kCPU), before);
    {
        const torch::NoGradGuard noGrad;
        w.fill_(3);
    }
    const Autocast autocast(Type::Fp16, at::kCPU);
    QCOMPARE(torch::linear(x, w).item<float>(), 6.0F);
}

void TstAutocast::tf32_isAllowedInsideOnly()
{
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
    {
        const Autocast autocast(Type::Tf32, at::kCPU);
        QVERIFY(at::globalContext().allowTF32CuBLAS());
        QVERIFY(at::globalContext().allowTF32CuDNN());
        QVERIFY(!isEnabled());
    }
    QVERIFY(!at::globalContext().allowTF32CuBLAS());
    QVERIFY(!at::globalContext().allowTF32CuDNN());
}

void TstAutocast::otherTypes_forbidTf32()
{
    at::globalContext().setAllowTF32CuDNN(true);
    {
        const Autocast autocast(Type::Fp32, at::kCPU);
        QVERIFY(!at::globalContext().allowTF32CuDNN());
        QVERIFY(!at::globalContext().allowTF32CuBLAS());
    }
    QVERIFY(at::globalContext().allowTF32CuDNN());
}

void TstAutocast::scopesOfSeveralThreads_leaveTheSwitchAsItWas()
{
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(true);
    std::latch begin(4);
    {
        std::vector<std::jthread> ranks;
        for (int i = 0; i < 4; ++i)
            ranks.emplace_back([&begin, allowed = i % 2 == 0] {
                begin.arrive_and_wait();
                for (int step = 0; step < 20000; ++step)
                    const Tf32Scope scope(allowed);
            });
    }
    QVERIFY(!at::globalContext().allowTF32CuBLAS());
    QVERIFY(at::globalContext().allowTF32CuDNN());
}

void TstAutocast::evalPrecision_isIndependentOfTraining()
{
    const Precision precision(Type::Bf16, Type::Fp32, at::kCPU);
    const torch::Tensor x = torch::randn({ 2, 3 });
    const torch::Tensor w = torch::randn({ 4, 3 });
    {
        const auto autocast = precision.autocast();
        QCOMPARE(torch::linear(x, w).scalar_type(), torch::kBFloat16);
    }
    const auto autocast = precision.evalAutocast();
    QCOMPARE(torch::linear(x, w).scalar_type(), torch::kFloat);
}

void TstAutocast::census_ofBf16Linear_isBfloat16()
{
    const Census census;
    linearStep(Type::Bf16);
    QVERIFY(census.shares().at("bfloat16") > 0.9);
}

void TstAutocast::census_ofFp32_isAllFloat32()
{
    const Census census;
    QVERIFY(census.shares().empty());
    linearStep(Type::Fp32);
    const auto shares = census.shares();
    QCOMPARE(shares.size(), size_t { 1 });
    QCOMPARE(shares.at("float32"), 1.0);
}

void TstAutocast::census_countsTheFlopsOfALinearStep()
{
    constexpr double kForward = 2.0 * 8 * 32 * 16;
    for (const Type type : { Type::Fp32, Type::Bf16 }) {
        const Census census;
        linearStep(type);
        QCOMPARE(census.flops(), 3 * kForward);
    }
    const Census census;
    torch::conv1d(torch::randn({ 2, 3, 11 }), torch::randn({ 4, 3, 3 }));
    QCOMPARE(census.flops(), 2.0 * (2 * 4 * 9) * (3 * 3));
}

EARWRIGHT_TEST(TstAutocast)
#include "tst_autocast.moc"
