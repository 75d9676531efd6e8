#include <QTest>

#include "core/distributed/gradient_sync.h"
#include "tests/distributed/ranks.h"
#include "tests/registry.h"

using namespace earwright;
using distributed::GradientSync;
using distributed::Group;
using earwright::tests::Ranks;

namespace {

constexpr int kRanks = 3;
constexpr int64_t kNumbers = 1000;

using Named = std::vector<std::pair<std::string, torch::Tensor>>;

Named parameters()
{
    Named made;
    for (const char* name : { "a", "b", "c" })
        made.emplace_back(name, torch::ones({ kNumbers }).requires_grad_());
    return made;
}

/// A rank's gradient of a parameter; made without the process's generator, which ranks share.
torch::Tensor gradientOf(int64_t rank, int64_t parameter)
{
    return (
        torch::arange(kNumbers, torch::kFloat64) * 0.37 + static_cast<double>(7 * rank + parameter))
        .sin()
        .to(torch::kFloat);
}

/// The gradients come in the reverse order of the parameters.
void step(GradientSync& sync, const Named& of, int64_t rank)
{
    sync.zeroGradients();
    sync.beforeForward();
    torch::Tensor loss;
    for (size_t i = 0; i < of.size(); ++i) {
        const torch::Tensor part = of[i].second.dot(gradientOf(rank, static_cast<int64_t>(i)));
        loss = loss.defined() ? loss + part : part;
    }
    sync.beforeBackward(loss);
    loss.backward();
}

} // namespace

/// See Note [Buckets stay as they are].
class TstBuckets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstStep_addsUpAsTheLaterOnes_data();
    void firstStep_addsUpAsTheLaterOnes();
    void gradients_lieInTheOrderTheyArriveIn();
};

void TstBuckets::firstStep_addsUpAsTheLaterOnes_data()
{
    QTest::addColumn<bool>("isOrdered");
    QTest::addColumn<bool>("isStatic");
    QTest::newRow("in the parameters' order") << false << false;
    QTest::newRow("in the order of arrival") << true << false;
    QTest::newRow("static graph") << true << true;
}

void TstBuckets::firstStep_addsUpAsTheLaterOnes()
{
    QFETCH(bool, isOrdered);
    QFETCH(bool, isStatic);
    std::vector<int> different(kRanks);
    const auto thrown = Ranks(kRanks).run([&](Group& group) {
        const Named all = parameters();
        GradientSync sync(group, all, {}, { .staticGraph = isStatic });
        if (isOrdered)
            sync.orderBuckets({ 1, 2, 0 });
        std::vector<torch::Tensor> first;
        for (int i = 0; i < 4; ++i) {
            step(sync, all, group.rank());
            for (size_t of = 0; of < all.size(); ++of) {
                if (i == 0)
                    first.push_back(all[of].second.grad().clone());
                different[static_cast<size_t>(group.rank())]
                    += torch::equal(first[of], all[of].second.grad()) ? 0 : 1;
            }
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(kRanks));
    QCOMPARE(different, std::vector<int>(kRanks));
}

/// In that of rank 0: another rank's is no other bucket.
void TstBuckets::gradients_lieInTheOrderTheyArriveIn()
{
    std::vector<int> wrong(kRanks);
    const auto thrown = Ranks(kRanks).run([&](Group& group) {
        const Named all = parameters();
        GradientSync sync(group, all, {}, {});
        sync.orderBuckets(
            group.isMain() ? std::vector<int64_t> { 1, 2, 0 } : std::vector<int64_t> { 0, 1, 2 });
        step(sync, all, group.rank());
        const auto placeOf = [&all](size_t of) { return all[of].second.grad().data_ptr<float>(); };
        wrong[static_cast<size_t>(group.rank())]
            = placeOf(0) == placeOf(2) + kNumbers && placeOf(1) == placeOf(0) + kNumbers ? 0 : 1;
        for (size_t of = 0; of < all.size(); ++of) {
            torch::Tensor sum = torch::zeros({ kNumbers });
            for (int rank = 0; rank < kRanks; ++rank)
                sum += gradientOf(rank, static_cast<int64_t>(of));
            if (!torch::allclose(all[of].second.grad(), sum / kRanks, 1e-5, 1e-6))
                wrong[static_cast<size_t>(group.rank())] += 2;
        }
    });
    QCOMPARE(thrown, std::vector<std::string>(kRanks));
    QCOMPARE(wrong, std::vector<int>(kRanks));
}

EARWRIGHT_TEST(TstBuckets)
#include "tst_buckets.moc"
