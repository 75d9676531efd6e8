#include <QTest>

#include "core/precision/precision.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

using namespace earwright;

class TstRecurrent final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partWithoutTheLongestRow_hasAllFrames_data();
    void partWithoutTheLongestRow_hasAllFrames();
    void floatFrames_areTrainedUnderAutocast_data();
    void floatFrames_areTrainedUnderAutocast();
};

void TstRecurrent::partWithoutTheLongestRow_hasAllFrames_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : { "LSTM", "GRU", "RNN" })
        QTest::newRow(name) << std::string(name);
}

/// Lengths are shares of the whole batch's frames, so a part must have as many.
void TstRecurrent::partWithoutTheLongestRow_hasAllFrames()
{
    QFETCH(std::string, name);
    torch::manual_seed(7);
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN." + name
        + "\n    input_size: 6\n    hidden_size: 4\n    bidirectional: True\n");
    const torch::Tensor rows = torch::randn({ 3, 20, 6 });
    const torch::Tensor lengths = torch::tensor({ 1.0F, 0.5F, 0.75F });
    const torch::Tensor whole = layer->forward(rows, lengths);
    const torch::Tensor part = layer->forward(rows.narrow(0, 1, 2), lengths.narrow(0, 1, 2));
    QCOMPARE(part.size(1), 20);
    QVERIFY(torch::allclose(part, whole.narrow(0, 1, 2), 1e-5, 1e-5));
    QVERIFY(torch::equal(part.slice(1, 15), torch::zeros({ 2, 5, 8 })));
}

void TstRecurrent::floatFrames_areTrainedUnderAutocast_data()
{
    partWithoutTheLongestRow_hasAllFrames_data();
}

/// As where no CNN is in front, whose output has autocast's type.
void TstRecurrent::floatFrames_areTrainedUnderAutocast()
{
    QFETCH(std::string, name);
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN." + name
        + "\n    input_size: 6\n    hidden_size: 4\n    num_layers: 2\n    bidirectional: True\n");
    const torch::Tensor x = torch::randn({ 3, 20, 6 });
    const torch::Tensor expected = layer->forward(x).detach();
    const precision::Autocast autocast(precision::Type::Bf16, at::kCPU);
    const torch::Tensor got = layer->forward(x);
    got.to(torch::kFloat).sum().backward();
    QVERIFY(torch::allclose(got.to(torch::kFloat), expected, 0.05, 0.1));
    for (const torch::Tensor& parameter : layer->parameters())
        QVERIFY(parameter.grad().defined());
}

EARWRIGHT_TEST(TstRecurrent)
#include "tst_recurrent.moc"
