#include <QTest>

#include "core/model/label_loss.h"
#include "tests/registry.h"

using namespace earwright;

class TstLabelLoss final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kldiv_isTorchsOfTheSmoothedTarget_data();
    void kldiv_isTorchsOfTheSmoothedTarget();
};

void TstLabelLoss::kldiv_isTorchsOfTheSmoothedTarget_data()
{
    QTest::addColumn<double>("smoothing");
    QTest::newRow("a tenth") << 0.1;
    QTest::newRow("all to the others") << 1.0;
}

/// With a smoothing of 1 the target itself has no share: 0 log 0 counts as 0.
void TstLabelLoss::kldiv_isTorchsOfTheSmoothedTarget()
{
    QFETCH(double, smoothing);
    torch::manual_seed(7);
    const torch::Tensor logProbs = torch::randn({ 2, 3, 5 }).log_softmax(-1);
    const torch::Tensor targets = torch::tensor({ { 1, 4, 2 }, { 3, 1, 4 } }, torch::kLong);
    const torch::Tensor share = torch::full({ 2, 3, 5 }, smoothing / 4)
                                    .scatter_(-1, targets.unsqueeze(-1), 1 - smoothing);
    const torch::Tensor wanted = torch::kl_div(logProbs, share, at::Reduction::None).sum() / 2;
    const torch::Tensor found = model::kldivLoss(logProbs, targets, torch::ones({ 2 }),
        { .labelSmoothing = smoothing, .reduction = "batchmean" });
    QVERIFY2(torch::allclose(found, wanted), qPrintable(QString::number(found.item<double>())));
}

EARWRIGHT_TEST(TstLabelLoss)
#include "tst_label_loss.moc"
