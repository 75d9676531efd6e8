#include "core/model/dropout.h"

#include "core/model/transformer/attention.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using model::dropped;

namespace {

/// A rate that rounds to none goes the way of those that drop.
constexpr model::AttentionSize kNoDrop { .width = 12, .heads = 3, .dropout = 1e-9 };

torch::Tensor halfOfTheSecond(int64_t frames)
{
    return model::keyPadding(torch::tensor({ 1.0, 0.5 }), frames);
}

double shareOfZeros(const torch::Tensor& y)
{
    return y.eq(0).to(torch::kDouble).mean().item<double>();
}

} // namespace

/// Dropout as ATen's, but for the numbers drawn.
class TstDropout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rate_isThatOfTheZeros_data();
    void rate_isThatOfTheZeros();
    void numbers_dropByThemselves();
    void layout_isKept_data();
    void layout_isKept();
    void gradient_passesWhereTheNumberDoes();
    void evaluation_changesNothing();
    void rateOfOne_leavesNothing();
    void attention_withoutADrop_isThatOfAten_data();
    void attention_withoutADrop_isThatOfAten();
    void attentionToAnother_withoutADrop_isThatOfAten();
    void attention_dropsItsWeights();
};

void TstDropout::rate_isThatOfTheZeros_data()
{
    QTest::addColumn<double>("rate");
    for (const double rate : { 0.1, 0.25, 0.5, 0.9 })
        QTest::newRow(qPrintable(QString::number(rate))) << rate;
}

void TstDropout::rate_isThatOfTheZeros()
{
    QFETCH(const double, rate);
    torch::manual_seed(1);
    const torch::Tensor y = dropped(torch::ones({ 1000, 999 }), rate, true);
    QVERIFY(std::abs(shareOfZeros(y) - rate) < 0.003);
    QVERIFY(std::abs(y.mean().item<double>() - 1) < 0.02);
    const auto scale = y.max().item<double>();
    QVERIFY(std::abs(scale * (1 - rate) - 1) < 1e-3);
    QVERIFY(y.eq(0).logical_or(y.eq(scale)).all().item<bool>());
}

/// Four numbers come of one draw.
void TstDropout::numbers_dropByThemselves()
{
    torch::manual_seed(1);
    const torch::Tensor isDropped = dropped(torch::ones({ 100000, 8 }), 0.3, true).eq(0);
    const torch::Tensor both = isDropped.to(torch::kFloat).t().matmul(isDropped.to(torch::kFloat));
    const torch::Tensor expected
        = torch::full({ 8, 8 }, 0.09).fill_diagonal_(0.3); // independent of each other
    QVERIFY(both.div(100000).sub(expected).abs().max().item<double>() < 0.006);
    torch::manual_seed(1);
    QVERIFY(dropped(torch::ones({ 100000, 8 }), 0.3, true).eq(0).equal(isDropped));
}

void TstDropout::layout_isKept_data()
{
    QTest::addColumn<std::vector<int64_t>>("strides");
    QTest::newRow("contiguous") << std::vector<int64_t> { 35, 7, 1 };
    QTest::newRow("transposed") << std::vector<int64_t> { 35, 1, 5 };
    QTest::newRow("with gaps") << std::vector<int64_t> { 100, 20, 2 };
    QTest::newRow("expanded") << std::vector<int64_t> { 0, 7, 1 };
}

void TstDropout::layout_isKept()
{
    QFETCH(const std::vector<int64_t>, strides);
    const torch::Tensor x = torch::arange(1, 401, torch::kFloat).as_strided({ 3, 5, 7 }, strides);
    const torch::Tensor y = dropped(x, 0.5, true);
    QCOMPARE(y.sizes().vec(), x.sizes().vec());
    QVERIFY(y.eq(0).logical_or(y.eq(2 * x)).all().item<bool>());
    QVERIFY(shareOfZeros(y) > 0.2 && shareOfZeros(y) < 0.8);
}

void TstDropout::gradient_passesWhereTheNumberDoes()
{
    const torch::Tensor x = torch::ones({ 50, 50 }).requires_grad_();
    const torch::Tensor y = dropped(x, 0.2, true);
    y.sum().backward();
    QVERIFY(x.grad().equal(y.detach()));
}

void TstDropout::evaluation_changesNothing()
{
    const torch::Tensor x = torch::randn({ 4, 4 });
    QVERIFY(dropped(x, 0.5, false).is_same(x));
    QVERIFY(dropped(x, 0, true).is_same(x));
    QCOMPARE(dropped(torch::empty({ 0, 4 }), 0.5, true).numel(), 0);
}

void TstDropout::rateOfOne_leavesNothing()
{
    QCOMPARE(shareOfZeros(dropped(torch::ones({ 9 }), 1, true)), 1.0);
}

void TstDropout::attention_withoutADrop_isThatOfAten_data()
{
    QTest::addColumn<std::string>("type");
    QTest::addColumn<bool>("hidesKeys");
    QTest::addColumn<bool>("looksAhead");
    QTest::newRow("all visible") << std::string("regularMHA") << false << true;
    QTest::newRow("padding") << std::string("regularMHA") << true << true;
    QTest::newRow("causal") << std::string("regularMHA") << false << false;
    QTest::newRow("both") << std::string("regularMHA") << true << false;
    QTest::newRow("rotary") << std::string("RoPEMHA") << true << true;
}

void TstDropout::attention_withoutADrop_isThatOfAten()
{
    QFETCH(const std::string, type);
    QFETCH(const bool, hidesKeys);
    QFETCH(const bool, looksAhead);
    torch::manual_seed(1);
    const auto attention = model::makeSelfAttention(type, kNoDrop);
    const torch::Tensor x = torch::randn({ 2, 6, 12 });
    const model::AttentionMask mask { hidesKeys ? halfOfTheSecond(6) : torch::Tensor(),
        looksAhead ? torch::Tensor() : model::lookAhead(6, torch::kCPU) };
    attention->train();
    const torch::Tensor trained = attention->forward(x, mask, {});
    attention->eval();
    QVERIFY(trained.allclose(attention->forward(x, mask, {}), 1e-5, 1e-6));
}

void TstDropout::attentionToAnother_withoutADrop_isThatOfAten()
{
    torch::manual_seed(1);
    model::MultiheadAttention attention(kNoDrop);
    const torch::Tensor x = torch::randn({ 2, 6, 12 });
    const torch::Tensor memory = torch::randn({ 2, 9, 12 });
    const model::AttentionMask mask { halfOfTheSecond(9), {} };
    attention.train();
    const torch::Tensor trained = attention.attend(x, memory, mask);
    attention.eval();
    QVERIFY(trained.allclose(attention.attend(x, memory, mask), 1e-5, 1e-6));
}

void TstDropout::attention_dropsItsWeights()
{
    torch::manual_seed(1);
    model::MultiheadAttention attention({ .width = 12, .heads = 3, .dropout = 0.5 });
    const torch::Tensor x = torch::randn({ 2, 6, 12 });
    attention.eval();
    const torch::Tensor expected = attention.forward(x, {});
    attention.train();
    torch::Tensor sum = torch::zeros_like(expected);
    for (int i = 0; i < 4000; ++i)
        sum += attention.forward(x, {}).detach();
    QVERIFY(!attention.forward(x, {}).allclose(expected, 1e-3, 1e-3));
    QVERIFY(sum.div(4000).allclose(expected, 0, 0.02));
}

EARWRIGHT_TEST(TstDropout)
#include "tst_dropout.moc"
