#include <QTest>

#include "core/model/deterministic.h"
#include "tests/registry.h"

#include <torch/autograd.h>

using namespace earwright;

/// The slower ways of `deterministic` give what the operators give that they stand for. What a GPU
/// does with them is checked by tests/gpu.
class TstDeterministic final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cumulativeSumByProduct_isCumsum_data();
    void cumulativeSumByProduct_isCumsum();
    void reflectionPadByFlips_isPad_data();
    void reflectionPadByFlips_isPad();
    void sideAsLongAsTheDimension_isRefused();
    void ctcLossOnHost_isLibTorchs_data();
    void ctcLossOnHost_isLibTorchs();
    void cpuTensor_needsNothing();
};

namespace {

/// Of the sum of squares, which tells places apart.
torch::Tensor gradientOf(const torch::Tensor& result, const torch::Tensor& input)
{
    return torch::autograd::grad({ (result * result).sum() }, { input }).front();
}

} // namespace

void TstDeterministic::cumulativeSumByProduct_isCumsum_data()
{
    QTest::addColumn<std::vector<int64_t>>("sizes");
    QTest::newRow("weights") << std::vector<int64_t> { 3, 17 };
    QTest::newRow("frames") << std::vector<int64_t> { 3, 17, 5 };
    QTest::newRow("one frame") << std::vector<int64_t> { 2, 1, 4 };
}

void TstDeterministic::cumulativeSumByProduct_isCumsum()
{
    QFETCH(std::vector<int64_t>, sizes);
    torch::manual_seed(3);
    const torch::Tensor x = torch::rand(sizes).requires_grad_();
    const torch::Tensor expected = x.cumsum(1, torch::kDouble);
    const torch::Tensor got = model::cumulativeSumByProduct(x, torch::kDouble);
    QCOMPARE(got.scalar_type(), torch::kDouble);
    QVERIFY(torch::allclose(got, expected, 1e-12, 1e-12));
    QVERIFY(torch::allclose(gradientOf(got, x), gradientOf(expected, x), 1e-6, 1e-6));
    QCOMPARE(model::cumulativeSumByProduct(x, torch::kFloat).scalar_type(), torch::kFloat);
}

void TstDeterministic::reflectionPadByFlips_isPad_data()
{
    QTest::addColumn<std::vector<int64_t>>("sides");
    QTest::newRow("both sides of the last") << std::vector<int64_t> { 2, 3 };
    QTest::newRow("nothing before") << std::vector<int64_t> { 0, 3 };
    QTest::newRow("two dimensions") << std::vector<int64_t> { 1, 2, 4, 0 };
    QTest::newRow("all but one") << std::vector<int64_t> { 6, 6, 4, 4 };
}

void TstDeterministic::reflectionPadByFlips_isPad()
{
    QFETCH(std::vector<int64_t>, sides);
    torch::manual_seed(3);
    const torch::Tensor x = torch::rand({ 2, 3, 5, 7 }).requires_grad_();
    const torch::Tensor plain = sides.size() == 2 ? x.flatten(0, 1) : x;
    const torch::Tensor expected = at::pad(plain, sides, "reflect");
    const torch::Tensor got = model::reflectionPadByFlips(plain, sides);
    QVERIFY(torch::equal(got, expected));
    QVERIFY(torch::allclose(gradientOf(got, x), gradientOf(expected, x)));
}

void TstDeterministic::sideAsLongAsTheDimension_isRefused()
{
    const std::vector<int64_t> sides { 0, 7 };
    QVERIFY_THROWS_EXCEPTION(c10::Error, model::reflectionPadByFlips(torch::rand({ 2, 7 }), sides));
}

void TstDeterministic::ctcLossOnHost_isLibTorchs_data()
{
    QTest::addColumn<int64_t>("reduction");
    QTest::newRow("mean") << int64_t { at::Reduction::Mean };
    QTest::newRow("sum") << int64_t { at::Reduction::Sum };
    QTest::newRow("of each row") << int64_t { at::Reduction::None };
}

/// The second row is too short for its labels: loss and gradient are 0.
void TstDeterministic::ctcLossOnHost_isLibTorchs()
{
    QFETCH(int64_t, reduction);
    torch::manual_seed(3);
    const torch::Tensor x = torch::randn({ 9, 3, 5 }).requires_grad_();
    const model::CtcTargets targets { torch::randint(1, 5, { 3, 4 }),
        torch::tensor({ 9, 3, 7 }, torch::kLong), torch::tensor({ 2, 4, 3 }, torch::kLong) };
    const torch::Tensor expected = torch::ctc_loss(x.log_softmax(-1), targets.labels_BS,
        targets.frames_B, targets.labels_B, 0, reduction, true);
    const torch::Tensor got = model::ctcLossOnHost(x.log_softmax(-1), targets, 0, reduction);
    QVERIFY(torch::equal(got, expected));
    const torch::Tensor gradient = gradientOf(got, x);
    QVERIFY(torch::allclose(gradient, gradientOf(expected, x), 1e-6, 1e-6));
    QVERIFY(gradient.abs().sum().item<float>() > 0);
    const torch::NoGradGuard noGradient;
    QVERIFY(torch::equal(model::ctcLossOnHost(x.log_softmax(-1), targets, 0, reduction), expected));
}

void TstDeterministic::cpuTensor_needsNothing()
{
    at::globalContext().setDeterministicAlgorithms(true, false);
    const bool needs = model::needsFixedOrder(torch::rand({ 2 }));
    at::globalContext().setDeterministicAlgorithms(false, false);
    QVERIFY(!needs);
}

EARWRIGHT_TEST(TstDeterministic)
#include "tst_deterministic.moc"
