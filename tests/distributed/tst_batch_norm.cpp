#include <QTest>
#include <torch/nn/modules/container/modulelist.h>

#include "core/model/batch_norm.h"
#include "core/model/input_normalization.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"

#include <numeric>

using namespace earwright;
using distributed::Group;
using earwright::tests::Ranks;
using model::BatchNorm;

namespace {

constexpr int64_t kChannels = 5;
constexpr double kTolerance = 1e-5;

/// Rows far from 0, where the mean of squares less the square of the mean loses its digits.
torch::Tensor joined(int64_t rows)
{
    const torch::Tensor x = torch::sin(torch::arange(rows * kChannels, torch::kFloat64) * 1.7);
    return (x * 3 + 100).to(torch::kFloat32).reshape({ rows, kChannels });
}

torch::Tensor weightOf(const torch::Tensor& x)
{
    return torch::cos(torch::arange(x.numel(), torch::kFloat32)).reshape(x.sizes());
}

struct Results {
    torch::Tensor output;
    torch::Tensor inputGradient;
    torch::Tensor weightGradient;
    torch::Tensor biasGradient;
    torch::Tensor runningMean;
    torch::Tensor runningVar;
};

Results pass(BatchNorm& norm, const torch::Tensor& rows, const torch::Tensor& weight)
{
    const torch::Tensor x = rows.clone().requires_grad_();
    const torch::Tensor y = norm.forward(x);
    (y * weight).sum().backward();
    return { y.detach(), x.grad(), norm.weight.grad(), norm.bias.grad(), norm.runningMean.clone(),
        norm.runningVar.clone() };
}

bool near(const torch::Tensor& a, const torch::Tensor& b)
{
    return torch::allclose(a, b, kTolerance, kTolerance);
}

} // namespace

/// Synchronised statistics against one rank on the joined batch.
class TstBatchNorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranks_equalOneRankOnTheJoinedBatch_data();
    void ranks_equalOneRankOnTheJoinedBatch();
    void repeatedRows_countOnce();
    void allButBatchNorm_leavesItToItsOwnRows();
    void inputsThatLearn_haveTheGradientOfTheJoinedBatch();
};

void TstBatchNorm::ranks_equalOneRankOnTheJoinedBatch_data()
{
    QTest::addColumn<std::vector<int64_t>>("parts");
    QTest::newRow("even") << std::vector<int64_t> { 6, 6 };
    QTest::newRow("uneven") << std::vector<int64_t> { 9, 2, 1 };
}

void TstBatchNorm::ranks_equalOneRankOnTheJoinedBatch()
{
    QFETCH(std::vector<int64_t>, parts);
    const int64_t rows = std::accumulate(parts.begin(), parts.end(), int64_t(0));
    const torch::Tensor x = joined(rows);
    const torch::Tensor weight = weightOf(x);
    BatchNorm alone({ .channels = kChannels });
    const Results expected = pass(alone, x, weight);

    std::vector<Results> found(parts.size());
    const auto thrown = Ranks(static_cast<int>(parts.size())).run([&](Group& group) {
        const auto rank = static_cast<size_t>(group.rank());
        const int64_t begin
            = std::accumulate(parts.begin(), parts.begin() + group.rank(), int64_t(0));
        BatchNorm norm({ .channels = kChannels });
        model::synchroniseStatistics(
            norm, [&group](torch::Tensor& sums) { group.allReduceSum(sums); });
        found[rank]
            = pass(norm, x.narrow(0, begin, parts[rank]), weight.narrow(0, begin, parts[rank]));
    });
    QCOMPARE(thrown, std::vector<std::string>(parts.size()));

    std::vector<torch::Tensor> outputs;
    std::vector<torch::Tensor> inputGradients;
    torch::Tensor weightGradient = torch::zeros({ kChannels });
    torch::Tensor biasGradient = torch::zeros({ kChannels });
    for (const Results& part : found) {
        outputs.push_back(part.output);
        inputGradients.push_back(part.inputGradient);
        weightGradient += part.weightGradient;
        biasGradient += part.biasGradient;
        QVERIFY(near(part.runningMean, expected.runningMean));
        QVERIFY(near(part.runningVar, expected.runningVar));
    }
    QVERIFY(near(torch::cat(outputs), expected.output));
    QVERIFY(near(torch::cat(inputGradients), expected.inputGradient));
    QVERIFY(near(weightGradient, expected.weightGradient));
    QVERIFY(near(biasGradient, expected.biasGradient));
}

void TstBatchNorm::repeatedRows_countOnce()
{
    // Every rank has the same two rows: the sums are those of one copy, also of the unbiased
    // variance that is remembered.
    const torch::Tensor x = joined(2) - 95;
    const torch::Tensor weight = weightOf(x);
    BatchNorm alone({ .channels = kChannels });
    const Results expected = pass(alone, x, weight);
    std::vector<Results> found(3);
    const auto thrown = Ranks(3).run([&](Group& group) {
        BatchNorm norm({ .channels = kChannels });
        model::synchroniseStatistics(norm, [&group](torch::Tensor& sums) {
            group.allReduceSum(sums);
            sums.div_(group.size());
        });
        found[static_cast<size_t>(group.rank())] = pass(norm, x, weight);
    });
    QCOMPARE(thrown, std::vector<std::string>(3));
    for (const Results& one : found) {
        QVERIFY(near(one.output, expected.output));
        QVERIFY(near(one.inputGradient, expected.inputGradient));
        QVERIFY(near(one.runningVar, expected.runningVar));
    }
}

void TstBatchNorm::allButBatchNorm_leavesItToItsOwnRows()
{
    torch::nn::ModuleList both;
    const auto norm = std::make_shared<BatchNorm>(BatchNorm::Options { .channels = kChannels });
    const auto input
        = std::make_shared<model::InputNormalization>(catalog::InputNormalizationConfig {});
    both->push_back(norm);
    both->push_back(input);
    int64_t calls = 0;
    model::synchroniseStatistics(
        *both, [&calls](torch::Tensor&) { ++calls; }, model::Shared::AllButBatchNorm);
    norm->forward(joined(4));
    QCOMPARE(calls, int64_t(0));
    input->forward(joined(4).unsqueeze(0));
    QVERIFY(calls > 0);
}

/// Features of `requires_grad: True` behind which `norm_type: batch` normalises.
void TstBatchNorm::inputsThatLearn_haveTheGradientOfTheJoinedBatch()
{
    catalog::InputNormalizationConfig config;
    config.normType = "batch";
    const torch::Tensor x = joined(12).view({ 4, 3, kChannels }) - 95;
    const torch::Tensor weight = weightOf(x);
    const auto gradient = [&](model::InputNormalization& norm, int64_t begin, int64_t rows) {
        const torch::Tensor part = x.narrow(0, begin, rows).clone().requires_grad_();
        (norm.forward(part) * weight.narrow(0, begin, rows)).sum().backward();
        return part.grad();
    };
    model::InputNormalization alone(config);
    const torch::Tensor expected = gradient(alone, 0, 4);
    std::vector<torch::Tensor> found(2);
    const auto thrown = Ranks(2).run([&](Group& group) {
        model::InputNormalization norm(config);
        model::synchroniseStatistics(
            norm, [&group](torch::Tensor& sums) { group.allReduceSum(sums); });
        found[static_cast<size_t>(group.rank())]
            = gradient(norm, group.isMain() ? 0 : 3, group.isMain() ? 3 : 1);
    });
    QCOMPARE(thrown, std::vector<std::string>(2));
    QVERIFY(near(torch::cat(found), expected));
}

EARWRIGHT_TEST(TstBatchNorm)
#include "tst_batch_norm.moc"
